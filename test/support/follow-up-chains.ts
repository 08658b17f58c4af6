import { atOnce, type GatewayClient, message, type TestAgent } from './gateway-client.ts';

/** Tasks that grow side by side until they are told to stop, each message numbered, one after the other. */
export class FollowUpChains {
  readonly #client: GatewayClient;
  readonly #agents: { readonly from: TestAgent; readonly to: TestAgent };
  readonly #lengths: number[];
  readonly #done: Promise<unknown>;
  #isStopped = false;

  constructor(client: GatewayClient, from: TestAgent, to: TestAgent, count: number) {
    this.#client = client;
    this.#agents = { from, to };
    this.#lengths = Array<number>(count).fill(0);
    this.#done = Promise.all(this.#lengths.map((_, chain) => this.#grow(chain)));
  }

  /** How many messages were acknowledged, in all chains together. */
  get acknowledged(): number {
    return this.#lengths.reduce((sum, length) => sum + length, 0);
  }

  /** What each chain has sent, in order. */
  get texts(): readonly (readonly string[])[] {
    return this.#lengths.map((length, chain) => Array.from({ length }, (_, n) => textOf(chain, n)));
  }

  /** Resolves when nothing is in flight. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
  }

  async #grow(chain: number): Promise<void> {
    let taskId: string | undefined;
    for (let n = 0; !this.#isStopped; n += 1) {
      taskId = await this.#send(message(textOf(chain, n), { taskId }));
      this.#lengths[chain] = n + 1;
    }
  }

  /** The same message again, until it is taken. */
  async #send(sent: ReturnType<typeof message>): Promise<string> {
    const params = { message: sent, configuration: atOnce };
    for (;;) {
      const { status, body } = await this.#client.rpc({
        ...this.#agents,
        method: 'SendMessage',
        params,
      });
      if (status === 200) return body.result.task.id;
      if (status !== 503) throw new Error(`refused with ${status}`);
    }
  }
}

function textOf(chain: number, n: number): string {
  return `chain ${chain}, message ${n}`;
}
