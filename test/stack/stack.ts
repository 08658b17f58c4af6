import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A stack that was brought up by a compose file, as an operator handles it. */
export class Stack {
  readonly #command: readonly string[];

  /** @param command how compose is called for it, such as `docker compose -f infra/compose.yaml` */
  constructor(command: string) {
    this.#command = command.split(' ');
  }

  /** Those whose name begins so, in the order in which they are to be restarted. */
  async services(...names: readonly string[]): Promise<string[]> {
    const all = (await this.compose('config', '--services')).split('\n').filter(Boolean).toSorted();
    return names.flatMap((name) => all.filter((service) => service.startsWith(name)));
  }

  async adminToken(): Promise<string> {
    const [gateway = ''] = await this.services('gateway');
    return (await this.compose('exec', '-T', gateway, 'cat', '/run/relay/admin_token')).trim();
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
    const { stdout } = await run(file, [...before, ...args]);
    return stdout;
  }
}
