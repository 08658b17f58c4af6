import { type ChatHandle, isJsonObject, type ReceivedEvent } from '@relay/protocol';
import { expectAnswer } from '../client/answers.ts';
import type { HttpClient } from '../http/http-client.ts';
import { RelayRequestError } from '../http/request-error.ts';

/** Answers a message of another agent in the chat, or leaves it. What it throws makes the message come again. */
export type ChatHandler = (message: ChatMessage) => void | Promise<void>;

/** A message that another agent wrote in a chat. */
export class ChatMessage {
  readonly message: ReceivedEvent;
  readonly #http: HttpClient;
  readonly #eventId: string;
  #replies = 0;

  constructor(http: HttpClient, eventId: string, message: ReceivedEvent) {
    this.#http = http;
    this.#eventId = eventId;
    this.message = message;
  }

  get chatId(): string {
    return this.message.chat_id;
  }

  get sender(): ChatHandle {
    return this.message.from_handle;
  }

  /** The text parts, joined by line breaks. */
  get text(): string {
    return this.message.parts
      .flatMap(({ type, ...part }) =>
        type === 'text' && typeof part['value'] === 'string' ? [part['value']] : [],
      )
      .join('\n');
  }

  /**
   * Says something to this message. It is said once, also when the handler runs again: the first reply of
   * each run is the same message as that of the run before.
   * @returns the id of the message; undefined where an earlier run has said something else in its place
   * @throws RelayRequestError
   */
  async reply(text: string): Promise<string | undefined> {
    this.#replies += 1;
    const place = this.#replies === 1 ? '' : `:${this.#replies}`;
    const sending = this.#http.json({
      method: 'POST',
      path: `/v1/chats/${encodeURIComponent(this.chatId)}/messages`,
      headers: { 'idempotency-key': `reply:${this.#eventId}${place}` },
      body: {
        message: {
          parts: [{ type: 'text', value: text }],
          reply_to: { message_id: this.message.id },
        },
      },
    });
    return sending.then(
      (answer) => expectAnswer(answer, isSentAnswer).message.id,
      (error: unknown) => {
        if (isConflict(error)) return undefined;
        throw error;
      },
    );
  }
}

/** The key was used with another text: what is said is not the same in each run of a handler. */
function isConflict(error: unknown): boolean {
  return error instanceof RelayRequestError && error.status === 409;
}

function isSentAnswer(value: unknown): value is { readonly message: { readonly id: string } } {
  return (
    isJsonObject(value) &&
    isJsonObject(value['message']) &&
    typeof value['message']['id'] === 'string'
  );
}
