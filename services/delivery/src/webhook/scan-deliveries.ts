import { type Bus, type StreamMessage, streams, subjects } from '@relay/bus';
import type { AgentId } from '@relay/protocol';

/** What was to come may have been replaced or removed meanwhile. */
const silenceMilliseconds = 1_000;

/** Each is what was written during the one before; where somebody writes all the time there is no last one. */
const maximumStretches = 3;

/**
 * Reads the heads of all deliveries of an agent that are stored now, some of them more than once: what is
 * written again meanwhile comes again, later. It costs the server a consumer.
 * @throws RelayError unavailable, and what `take` throws
 */
export function scanDeliveries(
  bus: Bus,
  agentId: AgentId,
  take: (message: StreamMessage) => void,
): Promise<void> {
  return scanHeads(bus, subjects.deliveriesOfAgent(agentId), take);
}

/** The same for all of DELIVERIES whose subjects fit. */
export function scanHeads(
  bus: Bus,
  filter: string,
  take: (message: StreamMessage) => void,
): Promise<void> {
  return bus.turnsOfMany.run(() => scan(bus, filter, take));
}

async function scan(
  bus: Bus,
  filter: string,
  take: (message: StreamMessage) => void,
): Promise<void> {
  const { stream } = bus.deliveries;
  const read = new Set<string>();
  const takeNoted = (message: StreamMessage) => {
    read.add(message.subject);
    take(message);
  };
  let from = 1;
  for (let stretch = 0; stretch < maximumStretches; stretch += 1) {
    const last = await stream.readLast(filter);
    if (!last || last.sequence < from) return;
    from = (await readThrough(bus, { filter, from, through: last.sequence, take: takeNoted })) + 1;
  }
  // Each time it was to be read it had been written again.
  for (const subject of await stream.subjects(filter)) {
    const missed = read.has(subject) ? undefined : await stream.readLast(subject);
    if (missed) take(missed);
  }
}

interface Stretch {
  readonly filter: string;
  readonly from: number;
  readonly through: number;
  readonly take: (message: StreamMessage) => void;
}

/** @returns sequence of the last message that was read */
function readThrough(bus: Bus, { filter, from, through, take }: Stretch): Promise<number> {
  return new Promise((resolve, reject) => {
    let lastSequence = from - 1;
    const stop = () => {
      clearTimeout(silence);
      reader.close();
    };
    const end = () => {
      stop();
      resolve(lastSequence);
    };
    // Within its turn: a later message must not end what one that cannot be read has failed.
    const takeNext = (message: StreamMessage) => {
      silence.refresh();
      lastSequence = message.sequence;
      try {
        take(message);
        if (message.sequence >= through) end();
      } catch (error) {
        stop();
        reject(error);
      }
    };
    const silence = setTimeout(end, silenceMilliseconds);
    const reader = bus.read({
      stream: streams.deliveries,
      filter,
      startSequence: from,
      headersOnly: true,
      onMessage: async (message) => takeNext(message),
    });
  });
}
