import type { Duplex } from 'node:stream';
import { endWithAnswer } from './raw-answer.ts';
import { toErrorAnswer } from './refusals.ts';
import { traceIdOf } from './trace.ts';

/** Tells a client that wanted a WebSocket that there can be none right now. */
export function refuseUpgrade(client: Duplex, message?: string): void {
  client.on('error', () => client.destroy());
  const place = { form: 'rest', rpcId: null, traceId: traceIdOf(undefined) } as const;
  endWithAnswer(client, toErrorAnswer({ error: 'unavailable', message }, place));
}
