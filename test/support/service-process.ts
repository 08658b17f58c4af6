import type { ChildProcess } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess, runToEnd, spawnNode } from './node-process.ts';
import type { TestServer } from './servers.ts';

export type ServiceName = 'gateway' | 'task-manager' | 'delivery';

/** Something that can be killed, stopped for a while and started again. */
export type Victim = Pick<TestServer, 'kill' | 'restart' | 'pause' | 'resume'>;

/** What a service is started from. It must have been built. */
const mainOf = (name: ServiceName) =>
  resolve(import.meta.dirname, `../../services/${name}/dist/main.js`);

/** A start that must be refused. */
export function runService(name: ServiceName, environment: Readonly<Record<string, string>>) {
  return runToEnd(mainOf(name), environment);
}

/** One service in a process of its own, always on the same port. */
export class ServiceProcess implements Victim {
  readonly url: string;
  readonly #main: string;
  readonly #environment: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  constructor(name: ServiceName, port: number, environment: Record<string, string>) {
    this.url = `http://127.0.0.1:${port}`;
    this.#main = mainOf(name);
    this.#environment = {
      RELAY_LOG_LEVEL: 'error',
      ...environment,
      RELAY_PORT: String(port),
    };
  }

  get pid(): number {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error(`${this.#main} has not been started`);
    return pid;
  }

  /** Resolves when it is ready. */
  async restart(): Promise<void> {
    const child = spawnNode(this.#main, this.#environment, 'inherit');
    this.#process = child;
    while (!(await this.#isReady())) {
      if (child.exitCode !== null) throw new Error(`${this.#main} ended at its start`);
      await delay(50);
    }
  }

  async kill(): Promise<void> {
    await endProcess(this.#process, 'SIGKILL');
  }

  /** In order: what is in flight ends first. */
  async stop(): Promise<void> {
    const code = await endProcess(this.#process, 'SIGTERM');
    if (code !== 0) throw new Error(`${this.#main} did not stop in order: ${code}`);
  }

  /** As an operator brings in a new version: stopped in order, then started and waited for. */
  async replace(): Promise<void> {
    await this.stop();
    await this.restart();
  }

  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async #isReady(): Promise<boolean> {
    const response = await fetch(`${this.url}/readyz`).catch(() => undefined);
    return response?.status === 200;
  }
}
