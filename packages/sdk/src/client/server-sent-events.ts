import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** Far above the largest Task. Past it somebody sends no events but bytes. */
const longestEvent = 32 * 1024 * 1024;

/** The events of a `text/event-stream` body. An event that the end cuts off is dropped. */
export async function* readServerSentEvents(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<EventSourceMessage, void> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') throw error;
    },
    maxBufferSize: longestEvent,
  });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* events.splice(0);
  }
}
