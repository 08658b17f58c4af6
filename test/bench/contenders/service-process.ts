import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killWhenThisProcessEnds } from '../../support/reaper.ts';

const root = resolve(import.meta.dirname, '../../../../..');
const readyWithinMilliseconds = 30_000;
const pollMilliseconds = 50;
const shownOfLog = 2_000;

export interface ServiceOptions {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly origin: string;
  /** Of the Relay it belongs to; for its log. */
  readonly directory: string;
  readonly nodeArguments: readonly string[];
}

/** A built service of Relay, started as its operators do. */
export class ServiceProcess {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #options: ServiceOptions;
  readonly #logPath: string;

  private constructor(child: ChildProcess, options: ServiceOptions, logPath: string) {
    if (child.pid === undefined) throw new Error(`${options.name} did not start`);
    this.pid = child.pid;
    this.#child = child;
    this.#options = options;
    this.#logPath = logPath;
  }

  /** Resolves when it says that it is ready. */
  static async start(options: ServiceOptions): Promise<ServiceProcess> {
    const entry = join(root, 'services', options.name, 'dist/main.js');
    if (!existsSync(entry)) throw new Error(`${relative(root, entry)} does not exist`);
    const logPath = join(options.directory, `${options.name}.log`);
    const log = openSync(logPath, 'a');
    // The service ignores the directory; the reaper tells by it whose process this is.
    const child = spawn(process.execPath, [...options.nodeArguments, entry, options.directory], {
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', ...options.environment },
      stdio: ['ignore', log, log],
    });
    const service = new ServiceProcess(child, options, logPath);
    killWhenThisProcessEnds(service.pid, options.directory);
    try {
      await service.#untilReady();
      return service;
    } catch (error) {
      await service.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await ended;
  }

  get #hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async #untilReady(): Promise<void> {
    const end = performance.now() + readyWithinMilliseconds;
    while (!(await isReady(this.#options.origin))) {
      const { name } = this.#options;
      if (this.#hasEnded) throw new Error(`${name} ended at its start: ${this.#lastOfLog()}`);
      if (performance.now() > end) throw new Error(`${name} is not ready: ${this.#lastOfLog()}`);
      await sleep(pollMilliseconds);
    }
  }

  #lastOfLog(): string {
    return readFileSync(this.#logPath, 'utf8').trim().slice(-shownOfLog);
  }
}

async function isReady(origin: string): Promise<boolean> {
  const response = await fetch(`${origin}/readyz`).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status === 200;
}
