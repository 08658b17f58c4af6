import { refusalOf } from '../http/refusals.ts';
import { encodeEvent } from '../streaming/event-stream.ts';
import type { TaskUpdate, Tell } from '../streaming/task-updates.ts';
import type { AddressCall } from './address-call.ts';
import type { Waiting } from './waiting-call.ts';

/**
 * Answers with an event stream, its event ids the task's revisions. An update may take several events:
 * the last one has the id. An error ends the stream as its last event.
 * @param tellAll is let go of before anything is waited for
 */
export function answerStream(
  call: AddressCall,
  { openCall }: Waiting,
  tellAll: (tell: Tell) => Promise<void>,
): Promise<void> {
  openCall.throwIfRevoked();
  const { context, request, reply, binding } = call;
  const { record } = request;
  reply.hijack();
  context.inFlight.rest(request);
  const stream = context.keepAlive.open(reply.raw, { 'x-request-id': record.traceId });
  const told = tellAll((update) => stream.send(encodeUpdate(call, update), openCall.signal));
  return told
    .then(() => openCall.throwIfRevoked())
    .then(
      () => stream.end(),
      (error: unknown) => {
        const refusal = refusalOf(error);
        record.error = refusal.error;
        stream.end(binding.encodeLastError(refusal));
      },
    );
}

function encodeUpdate({ binding, encoder }: AddressCall, update: TaskUpdate): string {
  const events = encoder.events(update);
  return events
    .map((event, place) =>
      encodeEvent(
        binding.encodeResult(event),
        place === events.length - 1 ? update.revision : undefined,
      ),
    )
    .join('');
}
