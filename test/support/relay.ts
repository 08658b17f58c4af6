import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { endProcess, runToEnd, spawnNode } from './node-process.ts';
import { removeWhenThisProcessEnds } from './reaper.ts';

const credentialsSchema = z.object({
  url: z.url(),
  admin_token: z.string(),
  agents: z.object({ planner: z.string(), translator: z.string(), concierge: z.string() }),
});
export type TestCredentials = z.infer<typeof credentialsSchema>;

/** What `npm start` runs: it builds first what was changed. */
const start = resolve(import.meta.dirname, '../../scripts/start.mjs');
const quiet = { RELAY_LOG_LEVEL: 'warn' };

/** A whole relay as an operator starts it: `npm start` without npm. */
export class TestRelay {
  readonly dataDir: string;
  readonly port: number;
  #environment: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;
  #output = '';

  private constructor(dataDir: string, port: number, environment: Record<string, string>) {
    this.dataDir = dataDir;
    this.port = port;
    this.#environment = environment;
  }

  static async start(environment: Record<string, string> = {}): Promise<TestRelay> {
    const dataDir = await mkdtemp(join(tmpdir(), 'relay-e2e-'));
    removeWhenThisProcessEnds(dataDir);
    const relay = new TestRelay(dataDir, await freePort(), environment);
    await relay.restart();
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What the relay has printed since its last start. */
  get output(): string {
    return this.#output;
  }

  async credentials(): Promise<TestCredentials> {
    const file = await readFile(join(this.dataDir, 'credentials.json'), 'utf8');
    return credentialsSchema.parse(JSON.parse(file));
  }

  /** Starts it on the same data and the same port, and resolves when it is ready. */
  async restart(): Promise<void> {
    const environment = {
      ...quiet,
      RELAY_DATA_DIR: this.dataDir,
      RELAY_PORT: String(this.port),
      ...this.#environment,
    };
    const process = spawnNode(start, environment, 'pipe');
    this.#process = process;
    this.#output = '';
    const exited = once(process, 'exit').then(([code]) => {
      throw new Error(`the relay ended with code ${code} before it was ready:\n${this.#output}`);
    });
    const printedCurl = new Promise<void>((isReady) => {
      const collect = (chunk: Buffer) => {
        this.#output += chunk.toString();
        if (/^\s*curl .*\n/m.test(this.#output)) isReady();
      };
      process.stdout?.on('data', collect);
      process.stderr?.on('data', collect);
    });
    await Promise.race([printedCurl, exited]);
    exited.catch(() => undefined);
  }

  /** SIGKILL of the relay alone: its NATS and Redis are left behind, as a crash leaves them. */
  async kill(): Promise<void> {
    await endProcess(this.#process, 'SIGKILL');
  }

  /** Stops it in order, and starts it on the same data with other settings beside those it has. */
  async replace(environment: Record<string, string>): Promise<void> {
    await endProcess(this.#process, 'SIGTERM');
    this.#environment = { ...this.#environment, ...environment };
    await this.restart();
  }

  /** Takes away the key that it made itself. */
  async forgetSecretKey(): Promise<void> {
    await rm(join(this.dataDir, 'secret.key'));
  }

  /** Stops it in order and removes its data. */
  async stop(): Promise<void> {
    await endProcess(this.#process, 'SIGTERM');
    await rm(this.dataDir, { recursive: true, force: true });
  }
}

/** A start that must be refused. */
export function runRelay(environment: Readonly<Record<string, string>>) {
  return runToEnd(start, { ...quiet, ...environment });
}

/** Below those that the system gives to connections: one of them could take it before, or between two starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
