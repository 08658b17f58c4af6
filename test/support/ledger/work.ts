import { randomUUID } from 'node:crypto';
import type { AgentClient } from './agent-client.ts';
import type { Ledger } from './ledger.ts';
import { mailboxesFor, type Participant } from './participants.ts';
import { type ReceivedEvent, taskMark } from './received-event.ts';

/** What is to be done: at once, with an artifact, or after a question. */
export const orders = ['plain', 'artifact', 'ask'] as const;
export type Order = (typeof orders)[number];

/** The text of a message, from which both sides know what to do. */
export function orderText(order: Order, { id }: AgentClient): string {
  return `${order} ${id}`;
}

const completed = 'TASK_STATE_COMPLETED';
const inputRequired = 'TASK_STATE_INPUT_REQUIRED';

/** What agents do when they are told of something, and what they write down of it. */
export class Work {
  readonly #ledger: Ledger;
  readonly #participants: ReadonlyMap<string, Participant>;
  readonly #onFailure: (error: unknown) => void;
  readonly #requesters = new Map<string, string>();
  readonly #answered = new Set<string>();
  readonly #finished = new Set<string>();
  /** What is begun of a task. Its answer may come late, when events have told of it already. */
  readonly #begun = new Map<string, Promise<void>>();

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

  readonly hear = (agent: AgentClient, event: ReceivedEvent): void => {
    this.#react(agent, event).catch(this.#onFailure);
  };

  /** A task whose creation was acknowledged. */
  noteTask(taskId: string, requester: AgentClient, callee: AgentClient): void {
    this.#ledger.noteTask(taskId, { requesterId: requester.id, calleeId: callee.id });
    this.#noteDue(callee.id, {
      taskId,
      type: 'task.created',
      mark: taskMark('TASK_STATE_SUBMITTED', 0),
    });
  }

  async #react(agent: AgentClient, event: ReceivedEvent): Promise<void> {
    const { type, taskId } = event;
    if (type === 'task.created') {
      const begun = this.#begin(agent, event);
      this.#begun.set(taskId, begun);
      return begun;
    }
    if (type === 'task.message') {
      await this.#begun.get(taskId);
      return this.#complete(agent, taskId, 0);
    }
    const isAsked = type === 'task.updated' && event.mark === taskMark(inputRequired, 0);
    if (isAsked) return this.#answer(agent, event);
  }

  async #begin(callee: AgentClient, event: ReceivedEvent): Promise<void> {
    const { taskId, requesterId } = event;
    const [order] = event.order.split(' ');
    this.#requesters.set(taskId, requesterId);
    if (order === 'ask') return this.#setStatus(callee, taskId, inputRequired, 0);
    await this.#setStatus(callee, taskId, 'TASK_STATE_WORKING', 0);
    if (order === 'artifact') {
      await callee.addArtifact(taskId, 'result');
      this.#noteUpdate(taskId, 'TASK_STATE_WORKING', 1);
    }
    await this.#complete(callee, taskId, order === 'artifact' ? 1 : 0);
  }

  async #answer(requester: AgentClient, { taskId, order }: ReceivedEvent): Promise<void> {
    const [, calleeId = ''] = order.split(' ');
    const callee = this.#participants.get(calleeId)?.client;
    if (!callee || this.#answered.has(taskId)) return;
    this.#answered.add(taskId);
    const messageId = randomUUID();
    await requester.send(callee, 'more', { messageId, taskId });
    this.#noteDue(callee.id, { taskId, type: 'task.message', mark: messageId });
  }

  async #complete(callee: AgentClient, taskId: string, artifacts: number): Promise<void> {
    if (this.#finished.has(taskId)) return;
    this.#finished.add(taskId);
    await this.#setStatus(callee, taskId, completed, artifacts);
  }

  async #setStatus(callee: AgentClient, taskId: string, state: string, artifacts: number) {
    await callee.setStatus(taskId, state, `now ${state}`);
    this.#ledger.noteState(taskId, state);
    this.#noteUpdate(taskId, state, artifacts);
  }

  #noteUpdate(taskId: string, state: string, artifacts: number): void {
    const mark = taskMark(state, artifacts);
    this.#noteDue(this.#requesters.get(taskId) ?? '', { taskId, type: 'task.updated', mark });
  }

  #noteDue(agentId: string, event: { taskId: string; type: string; mark: string }): void {
    const participant = this.#participants.get(agentId);
    if (!participant) throw new Error(`an event for an agent that is unknown: ${event.taskId}`);
    this.#ledger.noteDue(mailboxesFor(participant, event.type), event);
  }
}
