import type {
  AgentCard,
  ListTasksRequest,
  ListTasksResponse,
  Metadata,
  SendMessageResponse,
  Task,
} from '@relay/protocol';
import type { HttpClient } from '../http/http-client.ts';
import { A2aClient } from './a2a-client.ts';
import { expectAnswer, isAgentCard, isSendAnswer, isTask, isTaskList } from './answers.ts';
import { composeMessage, type MessagePlace, type OutgoingMessage } from './messages.ts';
import { TaskStream } from './task-stream.ts';

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

/** With a `taskId` the message is a follow-up on that task. */
export interface StreamOptions extends RequestOptions, MessagePlace {
  readonly metadata?: Metadata | undefined;
}

export interface SendOptions extends StreamOptions {
  /** Do not wait for the other agent: answer with the Task as it was created. */
  readonly returnImmediately?: boolean | undefined;
  readonly historyLength?: number | undefined;
}

export interface GetTaskOptions extends RequestOptions {
  readonly historyLength?: number | undefined;
}

/** Relay itself answers a waiting call after 60 seconds. */
const sendTimeoutMilliseconds = 90_000;

/** What one agent asks of others, at their addresses. */
export class RemoteAgents {
  readonly #http: HttpClient;
  readonly #a2a: A2aClient;

  constructor(http: HttpClient) {
    this.#http = http;
    this.#a2a = new A2aClient(http);
  }

  async send(
    handle: string,
    message: OutgoingMessage,
    options: SendOptions,
  ): Promise<SendMessageResponse> {
    const { metadata, returnImmediately, historyLength, signal } = options;
    const params = {
      message: composeMessage('ROLE_USER', message, options),
      configuration: { returnImmediately, historyLength },
      metadata,
    };
    return expectAnswer(
      await this.#a2a.call(handle, 'SendMessage', params, {
        signal,
        timeout: sendTimeoutMilliseconds,
      }),
      isSendAnswer,
    );
  }

  stream(handle: string, message: OutgoingMessage, options: StreamOptions): TaskStream {
    return new TaskStream(this.#a2a, {
      handle,
      message: composeMessage('ROLE_USER', message, options),
      metadata: options.metadata,
      signal: options.signal,
    });
  }

  async getTask(handle: string, id: string, options: GetTaskOptions): Promise<Task> {
    const { historyLength, signal } = options;
    const params = { id, historyLength };
    return expectAnswer(await this.#a2a.call(handle, 'GetTask', params, { signal }), isTask);
  }

  async listTasks(
    handle: string,
    query: Partial<ListTasksRequest>,
    { signal }: RequestOptions,
  ): Promise<ListTasksResponse> {
    return expectAnswer(await this.#a2a.call(handle, 'ListTasks', query, { signal }), isTaskList);
  }

  async cancelTask(handle: string, id: string, { signal }: RequestOptions): Promise<Task> {
    return expectAnswer(await this.#a2a.call(handle, 'CancelTask', { id }, { signal }), isTask);
  }

  async card(handle: string, { signal }: RequestOptions): Promise<AgentCard> {
    const path = `/${encodeURIComponent(handle)}/agent-card.json`;
    const headers = { 'a2a-version': '1.0' };
    return expectAnswer(
      await this.#http.json({ method: 'GET', path, headers, signal }),
      isAgentCard,
    );
  }
}
