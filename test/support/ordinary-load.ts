import { setTimeout as sleep } from 'node:timers/promises';
import { type SendMessageRequest, type StreamResponse, TaskState } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { type Listener, RelayAgent } from '@relay/sdk';
import { connectA2aClient, messageRequest, taskOf } from './a2a-client.ts';
import type { TestAgent } from './gateway-client.ts';

export interface OrdinaryAgents {
  readonly url: string;
  readonly from: Pick<TestAgent, 'token'>;
  readonly to: Pick<TestAgent, 'handle' | 'token'>;
}

/** A light load by programs as others write them: an `@a2a-js/sdk` client, and an SDK agent that does the tasks. */
export class OrdinaryLoad {
  /** Messages that the agent was given. */
  readonly handled: string[] = [];
  /** Messages whose task was completed. */
  readonly completed: string[] = [];
  /** What the agent was told of its connection. */
  readonly errors: Error[] = [];
  readonly #listener: Listener;
  readonly #senders: Promise<unknown>;
  #isStopped = false;

  private constructor(client: Client, listener: Listener) {
    this.#listener = listener;
    this.#senders = Promise.all([this.#repeat(client, send), this.#repeat(client, stream)]);
    this.#senders.catch(() => undefined);
  }

  static async start({ url, from, to }: OrdinaryAgents): Promise<OrdinaryLoad> {
    const client = await connectA2aClient(`${url}/${to.handle}/`, from.token, {
      fetchOnce: fetchWithOneRetry,
    });
    const agent = new RelayAgent({ url, token: to.token });
    const listener = await agent.serve(
      async (task) => {
        load.handled.push(task.message.messageId);
        await task.working('on it');
        await task.finish('done');
      },
      { onError: (error) => load.errors.push(error) },
    );
    const load = new OrdinaryLoad(client, listener);
    return load;
  }

  /** Rejects where a request failed also when it was tried once again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#senders;
    await this.#listener.stop();
  }

  async #repeat(client: Client, ask: typeof send): Promise<void> {
    while (!this.#isStopped) {
      const request = messageRequest('do it');
      // A relay that stops answers with the task as it stands, and ends streams.
      while ((await ask(client, request)) !== TaskState.TASK_STATE_COMPLETED);
      this.completed.push(request.message?.messageId ?? '');
    }
  }
}

async function send(client: Client, request: SendMessageRequest): Promise<TaskState | undefined> {
  return taskOf(await client.sendMessage(request)).status?.state;
}

async function stream(client: Client, request: SendMessageRequest): Promise<TaskState | undefined> {
  let state: TaskState | undefined;
  for await (const event of client.sendMessageStream(request)) state = stateAfter(event) ?? state;
  return state;
}

function stateAfter({ payload }: StreamResponse): TaskState | undefined {
  const hasStatus = payload?.$case === 'task' || payload?.$case === 'statusUpdate';
  return hasStatus ? payload.value.status?.state : undefined;
}

/** Once again, after as long as it was asked to wait. */
const fetchWithOneRetry: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init).catch(() => undefined);
  if (answer && answer.status !== 429 && answer.status < 500) return answer;
  await sleep(Number(answer?.headers.get('retry-after') ?? 0) * 1_000);
  return fetch(input, init);
};
