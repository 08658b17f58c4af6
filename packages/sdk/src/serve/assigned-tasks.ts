import { randomUUID } from 'node:crypto';
import type { Artifact, Part, SettableState, Task, TaskState } from '@relay/protocol';
import { expectAnswer, isTaskAnswer, isTaskPage } from '../client/answers.ts';
import { composeMessage, type OutgoingMessage } from '../client/messages.ts';
import type { HttpClient } from '../http/http-client.ts';

/** A result of a task. Its id is made here unless given. */
export type NewArtifact = Omit<Artifact, 'artifactId'> & {
  readonly artifactId?: string | undefined;
};

/** The tasks that other agents sent this one, over Relay's REST. */
export class AssignedTasks {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** Lets other agents send tasks to this one. */
  async accept(signal: AbortSignal | undefined): Promise<void> {
    const body = { accepts_tasks: true };
    await this.#http.json({ method: 'PATCH', path: '/v1/me', body, signal });
  }

  /** All tasks sent to this agent that are in a state, without their history. */
  async *list(state: TaskState): AsyncGenerator<Task> {
    for (let token = ''; ; ) {
      const query = new URLSearchParams({ role: 'callee', state });
      if (token !== '') query.set('page_token', token);
      const path = `/v1/tasks?${query.toString()}`;
      const answer = await this.#http.json({ method: 'GET', path });
      const page = expectAnswer(answer, isTaskPage);
      yield* page.tasks;
      token = page.next_page_token;
      if (token === '') return;
    }
  }

  async get(taskId: string): Promise<Task> {
    const answer = await this.#http.json({ method: 'GET', path: pathOf(taskId) });
    return expectAnswer(answer, isTaskAnswer).task;
  }

  /**
   * Tried again when no answer came, although a status may then be set twice: a failure would make
   * the whole handler run again.
   */
  setStatus(taskId: string, state: SettableState, message?: OutgoingMessage): Promise<Task> {
    const said = message === undefined ? undefined : composeMessage('ROLE_AGENT', message);
    return this.#post(taskId, 'status', { state, message: said });
  }

  addArtifact(taskId: string, artifact: NewArtifact): Promise<Task> {
    const artifactId = artifact.artifactId ?? randomUUID();
    return this.#post(taskId, 'artifacts', { artifact: { ...artifact, artifactId } });
  }

  reply(taskId: string, parts: readonly Part[]): Promise<Task> {
    return this.#post(taskId, 'reply', { message: composeMessage('ROLE_AGENT', parts) });
  }

  async #post(taskId: string, change: string, body: unknown): Promise<Task> {
    const path = `${pathOf(taskId)}/${change}`;
    return expectAnswer(await this.#http.json({ method: 'POST', path, body }), isTaskAnswer).task;
  }
}

function pathOf(taskId: string): string {
  return `/v1/tasks/${encodeURIComponent(taskId)}`;
}
