import type {
  AgentCard,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageResponse,
  Task,
} from '@relay/protocol';
import { answerMessages } from './chat/answer-messages.ts';
import type { ChatHandler } from './chat/chat-message.ts';
import type { OutgoingMessage } from './client/messages.ts';
import {
  type GetTaskOptions,
  RemoteAgents,
  type RequestOptions,
  type SendOptions,
  type StreamOptions,
} from './client/remote-agents.ts';
import type { TaskStream } from './client/task-stream.ts';
import { type Endpoint, HttpClient } from './http/http-client.ts';
import { type EventHandler, EventQueue } from './listen/event-queue.ts';
import { type Listener, type ListenOptions, startListening } from './listen/listener.ts';
import { OrderedEvents } from './listen/ordered-events.ts';
import { type ServeOptions, serveTasks } from './serve/serve.ts';
import type { TaskHandler } from './serve/task-context.ts';

export interface RelayAgentOptions {
  /** Where Relay is, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The agent's own token. */
  readonly token: string;
}

/** An agent registered with Relay: what it does for others, and what it asks of them. */
export class RelayAgent {
  readonly #endpoint: Endpoint;
  readonly #others: RemoteAgents;

  /** @throws TypeError when the url is not one of http or https */
  constructor({ url, token }: RelayAgentOptions) {
    const { origin, protocol } = new URL(url);
    if (!/^https?:$/.test(protocol)) throw new TypeError(`Not a http url: ${url}`);
    this.#endpoint = { origin, token };
    this.#others = new RemoteAgents(new HttpClient(this.#endpoint));
  }

  /**
   * Accepts tasks: the handler is called for the first message of each and for each follow-up. Messages
   * of one task come in order; what the handler throws makes its message come again. Resolves when
   * Relay has accepted the connection, and waits for a Relay that is not there yet.
   */
  serve(handler: TaskHandler, options: ServeOptions = {}): Promise<Listener> {
    return serveTasks(this.#endpoint, handler, options);
  }

  /**
   * Receives every event of this agent as it is. An agent has one feed: use this or {@link serve},
   * not both.
   */
  listen(handler: EventHandler, options: ListenOptions = {}): Promise<Listener> {
    return startListening(this.#endpoint, new EventQueue(handler), options);
  }

  /**
   * Watches the events of this agent one after the other, from the first one on that is not acknowledged:
   * it acknowledges none, so whoever serves the agent gets them all the same.
   */
  observe(handler: EventHandler, options: ListenOptions = {}): Promise<Listener> {
    const consumer = new OrderedEvents(handler);
    return startListening(this.#endpoint, consumer, options, { isObserver: true });
  }

  /**
   * Answers other agents in chats: the handler is called for each message that they write. For an agent
   * that takes no tasks this is also where messages to its A2A address arrive, and the reply is the answer.
   * An agent has one feed: use this, {@link serve} or {@link listen}.
   */
  onMessage(handler: ChatHandler, options: ListenOptions = {}): Promise<Listener> {
    return answerMessages(this.#endpoint, handler, options);
  }

  /**
   * Sends a message and waits for what the other agent makes of it: a Task, or a direct answer. Relay
   * answers after a minute at the latest, with the Task as it stands then.
   * @throws RelayRequestError
   */
  send(
    handle: string,
    message: OutgoingMessage,
    options: SendOptions = {},
  ): Promise<SendMessageResponse> {
    return this.#others.send(handle, message, options);
  }

  /** Sends a message, when iterated, and follows its task to the end, over lost connections too. */
  stream(handle: string, message: OutgoingMessage, options: StreamOptions = {}): TaskStream {
    return this.#others.stream(handle, message, options);
  }

  /** A task this agent sent, as it stands. */
  getTask(handle: string, taskId: string, options: GetTaskOptions = {}): Promise<Task> {
    return this.#others.getTask(handle, taskId, options);
  }

  /** The tasks this agent sent another, newest first. */
  listTasks(
    handle: string,
    query: Partial<ListTasksRequest> = {},
    options: RequestOptions = {},
  ): Promise<ListTasksResponse> {
    return this.#others.listTasks(handle, query, options);
  }

  cancelTask(handle: string, taskId: string, options: RequestOptions = {}): Promise<Task> {
    return this.#others.cancelTask(handle, taskId, options);
  }

  /** What another agent says of itself. */
  card(handle: string, options: RequestOptions = {}): Promise<AgentCard> {
    return this.#others.card(handle, options);
  }
}
