import { setTimeout } from 'node:timers/promises';
import { JetStreamApiError, type StreamInfo } from '@nats-io/jetstream';
import { TimeoutError } from '@nats-io/transport-node';
import { RelayError } from '@relay/protocol';

/** Three servers that have just started choose leaders first, for one stream after the other. */
const patience = 30_000;
const pause = 10;
const streamNotFound = 10059;

class StreamBeingMade extends Error {}

/** @throws where the server is still making the stream: it tells the year 1 as when that was made */
export function requireMade(info: StreamInfo): StreamInfo {
  if (Date.parse(info.created) > 0) return info;
  throw new StreamBeingMade(`The stream ${info.config.name} is still being made.`);
}

/**
 * Asks again while servers that are making a stream, or are choosing its leader, do not answer for it or do
 * not know it.
 */
export async function whileBeingMade<Result>(ask: () => Promise<Result>): Promise<Result> {
  const since = performance.now();
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error) || performance.now() - since > patience) throw error;
    }
    await setTimeout(pause);
  }
}

function mayPass(error: unknown): boolean {
  const reason = error instanceof RelayError ? error.cause : error;
  if (reason instanceof JetStreamApiError) return reason.code === streamNotFound;
  return reason instanceof TimeoutError || reason instanceof StreamBeingMade;
}
