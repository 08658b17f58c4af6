import { refusalOf, toRpcErrorBody } from '../http/refusals.ts';
import { encodeEvent } from '../streaming/event-stream.ts';
import type { TaskUpdate } from '../streaming/task-updates.ts';
import type { AddressCall } from './address-call.ts';
import type { Waiting } from './waiting-call.ts';

/**
 * Answers with an event stream: each update is one JSON-RPC response, its event id the task's revision.
 * An error ends it as its last event.
 */
export async function answerStream(
  { context, request, reply }: AddressCall,
  { openCall }: Waiting,
  updates: AsyncIterable<TaskUpdate>,
): Promise<void> {
  openCall.throwIfRevoked();
  const { record } = request;
  reply.hijack();
  const stream = context.keepAlive.open(reply.raw, { 'x-request-id': record.traceId });
  try {
    for await (const { revision, response } of updates) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: record.rpcId, result: response });
      await stream.send(encodeEvent(body, revision), openCall.signal);
      if (openCall.signal.aborted) break;
    }
    openCall.throwIfRevoked();
    stream.end();
  } catch (error) {
    const refusal = refusalOf(error);
    record.error = refusal.error;
    stream.end(encodeEvent(toRpcErrorBody(record.rpcId, refusal)));
  }
}
