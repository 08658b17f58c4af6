import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { LoadedRelay } from '../support/ledger/load.ts';
import { loadSettings } from '../support/ledger/load-settings.ts';

const run = promisify(execFile);
const startTimeout = 300_000;

/** Of its services, unlike by default, for as long as they are not created again: webhooks come to this machine. */
const environment = { ...process.env, ...loadSettings, RELAY_ALLOW_PRIVATE_TARGETS: 'true' };

export interface StackOptions {
  /** How compose is called for it, such as `docker compose -f infra/compose.yaml`. */
  readonly command: string;
  readonly url: string;
}

/** A stack of a compose file, as an operator handles it. Its engine runs on this machine, on Linux. */
export class Stack implements LoadedRelay {
  readonly #command: readonly string[];
  readonly url: string;
  adminToken = '';
  receiverHost = '';

  private constructor({ command, url }: StackOptions) {
    this.#command = command.split(' ');
    this.url = url;
  }

  /** Brings it up, as it is set for the load. */
  static async start(options: StackOptions): Promise<Stack> {
    const stack = new Stack(options);
    await stack.compose('up', '-d');
    await stack.#untilReady();
    const [delivery = ''] = await stack.services('delivery');
    const read = (path: string) => stack.compose('exec', '-T', delivery, 'cat', path);
    stack.adminToken = (await read('/run/relay/admin_token')).trim();
    stack.receiverHost = gatewayOf(await read('/proc/net/route'));
    return stack;
  }

  get gatewayUrls(): readonly string[] {
    return [this.url];
  }

  /** Those whose name begins so, in the order in which they are to be restarted. */
  async services(...names: readonly string[]): Promise<string[]> {
    const all = (await this.compose('config', '--services')).split('\n').filter(Boolean).toSorted();
    return names.flatMap((name) => all.filter((service) => service.startsWith(name)));
  }

  async flushRedis(): Promise<void> {
    const [redis = ''] = await this.services('redis');
    await this.compose('exec', '-T', redis, 'redis-cli', 'flushall');
  }

  /** SIGKILL, and a start as its supervisor would do it. */
  async kill(service: string): Promise<void> {
    await this.compose('kill', service);
    await this.compose('start', service);
  }

  /** @returns what compose wrote */
  async compose(...args: readonly string[]): Promise<string> {
    const [file = '', ...before] = this.#command;
    const { stdout } = await run(file, [...before, ...args], { env: environment });
    return stdout;
  }

  async #untilReady(): Promise<void> {
    const end = performance.now() + startTimeout;
    const isReady = async () => (await fetch(`${this.url}/readyz`).catch(() => undefined))?.ok;
    while (!(await isReady())) {
      if (performance.now() > end) throw new Error('the stack is not ready');
      await delay(200);
    }
  }
}

/** @param routes as Linux lists them @returns the address of the machine, as its containers reach it */
function gatewayOf(routes: string): string {
  const [, gateway] = /\t00000000\t([0-9A-F]{8})\t/.exec(routes) ?? [];
  if (gateway === undefined) throw new Error(`no way out of the container: ${routes}`);
  return Buffer.from(gateway, 'hex').toReversed().join('.');
}
