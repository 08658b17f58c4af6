import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentClient, SentMessage } from './agent-client.ts';
import type { Ledger } from './ledger.ts';
import { mailboxesFor, type Participant } from './participants.ts';
import type { ReceivedEvent } from './received-event.ts';

/** Milliseconds after each message that was acknowledged. */
const pauseBetween = 50;
/** Events of one chat. An endpoint that fails takes a few of them a second; more would never be caught up with. */
const missingAtMost = 30;

/**
 * Guests that write to hosts without pause, in turn by a message to their chat and by a question at the
 * host's A2A address; hosts that reply to each. What one agent writes to one chat it writes in order.
 */
export class Chatting {
  readonly #ledger: Ledger;
  readonly #participants: ReadonlyMap<string, Participant>;
  readonly #onFailure: (error: unknown) => void;
  readonly #guests: AgentClient[] = [];
  readonly #hosts: AgentClient[] = [];
  readonly #writers: Promise<void>[] = [];
  /** Replies that are being sent, the last one of each chat and host. */
  readonly #replying = new Map<string, Promise<void>>();
  /** What was replied to a question, by the id that its guest gave it. */
  readonly #answers = new Map<string, string>();
  /** Ids of events: after a crash one may be refused again. */
  readonly #rejected = new Set<string>();
  #isEnded = false;

  /** @param participants by the ids of their agents */
  constructor(
    ledger: Ledger,
    participants: ReadonlyMap<string, Participant>,
    onFailure: (error: unknown) => void,
  ) {
    this.#ledger = ledger;
    this.#participants = participants;
    this.#onFailure = onFailure;
  }

  add(client: AgentClient, isHost: boolean): void {
    (isHost ? this.#hosts : this.#guests).push(client);
  }

  begin(): void {
    for (const guest of this.#guests) {
      for (const host of this.#hosts) {
        this.#writers.push(this.#write(guest, host).catch(this.#onFailure));
      }
    }
  }

  /** Resolves when all that was written is replied to, and that is acknowledged. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all(this.#writers);
    await Promise.all(this.#replying.values());
  }

  readonly hear = (agent: AgentClient, event: ReceivedEvent): void => {
    if (event.type !== 'message.received' || !this.#hosts.includes(agent)) return;
    const place = `${agent.id} ${event.taskId}`;
    const before = this.#replying.get(place) ?? Promise.resolve();
    this.#replying.set(place, before.then(() => this.#reply(agent, event)).catch(this.#onFailure));
  };

  /** An endpoint has refused a message for good, so its sender is to hear that it failed. */
  readonly hearRejected = ({ type, taskId, mark, requesterId, eventId }: ReceivedEvent): void => {
    if (type !== 'message.received' || this.#rejected.has(eventId)) return;
    this.#rejected.add(eventId);
    this.#noteDue(requesterId, { taskId, type: 'message.failed', mark });
  };

  async #write(guest: AgentClient, host: AgentClient): Promise<void> {
    for (let number = 1; !this.#isEnded; number += 1) {
      const text = `${number} of ${guest.handle} to ${host.handle}`;
      if (number % 2) {
        const sent = await guest.write(host, text, randomUUID());
        this.#note(guest, host, text, sent);
        await this.#untilTaken(sent.chatId);
      } else await this.#question(guest, host, text);
      await delay(pauseBetween);
    }
  }

  async #untilTaken(chatId: string): Promise<void> {
    while (!this.#isEnded && this.#ledger.missingOf(chatId) > missingAtMost) {
      await delay(pauseBetween);
    }
  }

  async #question(guest: AgentClient, host: AgentClient, text: string): Promise<void> {
    const messageId = randomUUID();
    const answer = await guest.askInChat(host, text, messageId);
    this.#ledger.noteAcknowledged();
    // The reply was stored before it was told; its own acknowledgement may still be on its way.
    await Promise.all(this.#replying.values());
    const replied = this.#answers.get(messageId);
    if (replied !== answer.id) {
      throw new Error(`${text} was answered with ${answer.id}, replied was ${replied}`);
    }
  }

  async #reply(host: AgentClient, event: ReceivedEvent): Promise<void> {
    const { taskId: chatId, mark: replyTo, askedId, eventId, requesterId, order } = event;
    const guest = this.#participants.get(requesterId)?.client;
    if (!guest) throw new Error(`a message of nobody: ${replyTo}`);
    if (askedId !== undefined) this.#note(guest, host, order, { chatId, id: replyTo });
    const text = `to ${order}`;
    const sent = await host.write({ chatId, replyTo }, text, `reply:${eventId}`);
    this.#note(host, guest, text, sent);
    if (askedId !== undefined) this.#answers.set(askedId, sent.id);
  }

  #note(from: AgentClient, to: AgentClient, text: string, { chatId, id }: SentMessage): void {
    this.#ledger.messages.push({ chatId, id, senderId: from.id, text });
    this.#ledger.noteAcknowledged();
    const event = { taskId: chatId, mark: id };
    this.#noteDue(to.id, { ...event, type: 'message.received' });
    this.#noteDue(from.id, { ...event, type: 'message.sent' });
    this.#noteDue(from.id, { ...event, type: 'message.delivered' });
  }

  #noteDue(agentId: string, event: { taskId: string; type: string; mark: string }): void {
    const participant = this.#participants.get(agentId);
    if (!participant) throw new Error(`an event for an agent that is unknown: ${event.taskId}`);
    this.#ledger.noteDue(mailboxesFor(participant, event.type), event);
  }
}
