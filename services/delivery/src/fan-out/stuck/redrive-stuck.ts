import { type Bus, type InboxEvent, noMarks, readMarks, unavailable } from '@relay/bus';
import {
  type AgentId,
  RelayError,
  type StuckMessageId,
  type StuckRedriveAnswer,
} from '@relay/protocol';
import type { PushWriter } from '../../push/push-writer.ts';
import type { PushedChange } from '../../push/pushed-change.ts';
import {
  type ChangeSource,
  changeSources,
  type ReadChange,
  stuckReader,
} from '../change-source.ts';
import { marksOfStreams } from '../source-marks.ts';

/**
 * Has the agents hear of a change that could not be read before. It comes behind what they have heard
 * since: whoever orders by the task's revision sees where it belongs. Where it was heard in part before
 * a crash, it is heard again under the same event id.
 * @throws RelayError notFound; conflict where it still cannot be read; unavailable
 */
export async function redriveStuck(
  { bus, pushes }: { readonly bus: Bus; readonly pushes: PushWriter | undefined },
  id: StuckMessageId,
  deadline: number,
): Promise<StuckRedriveAnswer> {
  const [reader = '', sequence = ''] = id.split('_');
  const source = changeSources(bus).find((each) => stuckReader(each) === reader);
  const record = await bus.deliveries.readStuck(reader, Number(sequence));
  if (!source || !record) throw new RelayError('notFound');
  const message = await source.stream.readAt(Number(sequence));
  if (message) {
    const { recipients, pushed } = readAgain(source, message);
    for (const [agentId, events] of recipients) {
      await appendBehind(bus, agentId, { events, deadline });
    }
    if (pushed && pushes) await push(pushes, pushed, { sequence: message.sequence, deadline });
  }
  await bus.deliveries.remove(record.sequence);
  return { outcome: message ? 'redriven' : 'gone' };
}

function readAgain(source: ChangeSource, message: Parameters<ChangeSource['read']>[0]): ReadChange {
  try {
    return source.read(message);
  } catch (cause) {
    const error = new RelayError({ error: 'conflict', message: 'It still cannot be read.' });
    error.cause = cause;
    throw error;
  }
}

async function push(
  pushes: PushWriter,
  pushed: PushedChange,
  { sequence, deadline }: { readonly sequence: number; readonly deadline: number },
): Promise<void> {
  const lease = { isHeld: () => Date.now() < deadline };
  if (!(await pushes.write(pushed, { lease, sequence }))) throw unavailable();
}

/** The marks stay: they say already that this change was done with. */
async function appendBehind(
  bus: Bus,
  agentId: AgentId,
  { events, deadline }: { readonly events: readonly InboxEvent[]; readonly deadline: number },
): Promise<void> {
  while (Date.now() < deadline) {
    const last = await bus.inbox.readLast(agentId);
    const marks = last ? marksOfStreams(readMarks(last), bus) : noMarks(bus);
    const { type } = await bus.inbox.append(agentId, events, marks, last?.sequence ?? 0);
    if (type === 'appended') return;
    if (type !== 'conflict') break;
  }
  throw unavailable();
}
