import { setTimeout as delay } from 'node:timers/promises';
import type { AgentClient } from './agent-client.ts';
import { Chatting } from './chatting.ts';
import { checkLedger, type Disturbance, missingEvents } from './check/check-ledger.ts';
import { type DueEvent, Ledger } from './ledger.ts';
import type { SocketMailbox, WebhookMailbox } from './mailbox.ts';
import { join, type Participant, type ParticipantKind } from './participants.ts';
import type { ReceivedEvent } from './received-event.ts';
import { Sending } from './sending.ts';
import { Work } from './work.ts';

const completed = 'TASK_STATE_COMPLETED';

/** A relay that runs with `loadSettings`. */
export interface LoadedRelay {
  readonly gatewayUrls: readonly string[];
  readonly adminToken: string;
  /** This machine's address by which the relay reaches webhooks on it. */
  readonly receiverHost: string;
}

export interface LoadOptions {
  readonly relay: LoadedRelay;
  /** How many send at once, without waiting for what comes of it; two more wait. */
  readonly senders: number;
  /** How the agents get their events: a requester and a callee for each, a guest and a host for each way. */
  readonly kinds: readonly ParticipantKind[];
  /** Whether gateways are stopped in order: then they answer blocking calls with tasks as they stand. */
  readonly stopsInOrder?: boolean;
}

/**
 * Requesters that send without pause, callees that work on what they are told, guests and hosts that write to
 * each other, and their ledger.
 */
export class LedgerLoad {
  readonly ledger = new Ledger();
  readonly #faults: string[] = [];
  readonly #participants = new Map<string, Participant>();
  readonly #work: Work;
  readonly #sending: Sending;
  readonly #chatting: Chatting;

  private constructor({ stopsInOrder = false }: LoadOptions) {
    this.#work = new Work(this.ledger, this.#participants, this.#fail);
    this.#sending = new Sending(this.#work, this.#fail, stopsInOrder);
    this.#chatting = new Chatting(this.ledger, this.#participants, this.#fail);
  }

  static async start(options: LoadOptions): Promise<LedgerLoad> {
    const load = new LedgerLoad(options);
    for (const kind of options.kinds) {
      for (const acceptsTasks of [false, true]) {
        load.#sending.add(await load.#join(options, kind, acceptsTasks), acceptsTasks);
      }
    }
    for (const kind of new Set(options.kinds)) {
      for (const isHost of [false, true]) {
        load.#chatting.add(await load.#join(options, kind, false), isHost);
      }
    }
    load.#sending.begin(options.senders);
    load.#chatting.begin();
    return load;
  }

  get acknowledged(): number {
    return this.ledger.tasks.size;
  }

  get socketMailboxes(): SocketMailbox[] {
    return this.#mailboxes.filter((mailbox) => mailbox.kind === 'socket');
  }

  get webhookMailboxes(): WebhookMailbox[] {
    return this.#mailboxes.filter((mailbox) => mailbox.kind === 'webhook');
  }

  /** How many events came again although they had been taken. */
  get duplicates(): number {
    const bySocket = this.socketMailboxes.map(({ receiver }) => receiver.received);
    const byWebhook = this.webhookMailboxes.map(({ endpoint }) =>
      endpoint.received.filter(({ answer }) => answer === 'accepted'),
    );
    return [...bySocket, ...byWebhook].reduce(
      (sum, received) => sum + received.length - new Set(received.map((each) => each.eventId)).size,
      0,
    );
  }

  /** What is due at receivers that take all at once. */
  get promptlyDue(): DueEvent[] {
    const healthy = this.webhookMailboxes.filter(({ endpoint }) => endpoint.temper === 'healthy');
    const prompt = new Set([...this.socketMailboxes, ...healthy].map(({ name }) => name));
    return this.ledger.due.filter(({ mailbox }) => prompt.has(mailbox));
  }

  /** Waits until nothing that was acknowledged before now is missing at receivers that take all at once. */
  async untilCaughtUp(timeoutMilliseconds: number): Promise<void> {
    const now = performance.now();
    let missing = this.promptlyDue.filter(({ acknowledgedAt }) => acknowledgedAt < now);
    while (missing.length > 0 && performance.now() < now + timeoutMilliseconds) {
      missing = missing.filter((due) => this.ledger.arrivalOf(due) === undefined);
      await delay(200);
    }
  }

  /**
   * Sends no more, waits until all that is due has come, and checks.
   * @param disturbances when a webhook may have been sent at another time than the schedule says
   * @returns what is wrong
   */
  async finish(
    timeoutMilliseconds: number,
    disturbances: readonly Disturbance[] = [],
  ): Promise<string[]> {
    const end = performance.now() + timeoutMilliseconds;
    const sent = Promise.all([this.#sending.end(), this.#chatting.end()]);
    for (const { endpoint } of this.webhookMailboxes) endpoint.isTroubled = false;
    const isOver = () => performance.now() > end;
    await Promise.race([sent, delay(timeoutMilliseconds, undefined, { ref: false })]);
    while (this.#unfinished() > 0 && !isOver()) await delay(200);
    while (missingEvents(this.ledger).length > 0 && !isOver()) await delay(200);
    const { ledger, socketMailboxes, webhookMailboxes } = this;
    const { streams } = this.#sending;
    const clients = new Map([...this.#participants].map(([id, { client }]) => [id, client]));
    const faults = await checkLedger({
      ledger,
      streams,
      sockets: socketMailboxes,
      webhooks: webhookMailboxes,
      clients,
      disturbances,
    });
    for (const { receiver } of socketMailboxes) receiver.close();
    for (const { endpoint } of webhookMailboxes) endpoint.close();
    const unfinished = this.#unfinished();
    return [
      ...this.#faults,
      ...(unfinished > 0 ? [`${unfinished} tasks unfinished`] : []),
      ...faults,
    ];
  }

  async #join(
    { relay: { gatewayUrls: urls, adminToken, receiverHost } }: LoadOptions,
    kind: ParticipantKind,
    acceptsTasks: boolean,
  ): Promise<AgentClient> {
    const { ledger } = this;
    const onEvent = (agent: AgentClient, event: ReceivedEvent) => {
      this.#work.hear(agent, event);
      this.#chatting.hear(agent, event);
    };
    const onRejected = this.#chatting.hearRejected;
    const participant = await join({
      urls,
      adminToken,
      kind,
      acceptsTasks,
      receiverHost,
      ledger,
      onEvent,
      onRejected,
    });
    this.#participants.set(participant.client.id, participant);
    return participant.client;
  }

  get #mailboxes() {
    return [...this.#participants.values()].flatMap(({ mailboxes }) => mailboxes);
  }

  #unfinished(): number {
    const { tasks, states } = this.ledger;
    return [...tasks.keys()].filter((taskId) => states.get(taskId) !== completed).length;
  }

  readonly #fail = (error: unknown): void => {
    this.#faults.push(String(error));
  };
}
