import { validateHeaderValue } from 'node:http';
import type {
  AgentCard,
  ContactCardChange,
  ContactCardItem,
  DirectoryPage,
  DirectoryQuery,
  FoundAgent,
  ListTasksRequest,
  ListTasksResponse,
  LookedUpContact,
  SendMessageResponse,
  Task,
} from '@relay/protocol';
import { answerMessages } from './chat/answer-messages.ts';
import type { ChatHandler } from './chat/chat-message.ts';
import { type ContactName, Directory } from './client/directory.ts';
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
  readonly #directory: Directory;

  /** @throws TypeError when the url is not one of http or https, or no header can hold the token */
  constructor({ url, token }: RelayAgentOptions) {
    const { origin, protocol } = new URL(url);
    if (!/^https?:$/.test(protocol)) throw new TypeError(`Not a http url: ${url}`);
    validateHeaderValue('authorization', token);
    this.#endpoint = { origin, token };
    const http = new HttpClient(this.#endpoint);
    this.#others = new RemoteAgents(http);
    this.#directory = new Directory(http);
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
   * The public agents that match what is to be done, in plain words: verified ones first, then the best
   * match, 20 at most. Each says what it can do, what it takes, and whether it accepts tasks.
   * @throws RelayRequestError
   */
  find(task: string, options: RequestOptions = {}): Promise<readonly FoundAgent[]> {
    return this.#directory.find(task, options);
  }

  /** A page of the directory: all public agents, or those with a skill, of a category, or that match words. */
  directory(
    query: Partial<DirectoryQuery> = {},
    options: RequestOptions = {},
  ): Promise<DirectoryPage> {
    return this.#directory.page(query, options);
  }

  /**
   * An agent or a person by handle or id, public or not, and whether this agent may message it.
   * @throws RelayRequestError with status 404 where there is none
   */
  lookUp(contact: ContactName, options: RequestOptions = {}): Promise<LookedUpContact> {
    return this.#directory.lookUp(contact, options);
  }

  /** Changes what others see of this agent. It is found once its `visibility` is `public`. */
  changeCard(change: ContactCardChange, options: RequestOptions = {}): Promise<ContactCardItem> {
    return this.#directory.changeCard(change, options);
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
