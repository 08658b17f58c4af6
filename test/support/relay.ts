import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { removeWhenThisProcessEnds } from './reaper.ts';

const credentialsSchema = z.object({
  url: z.url(),
  admin_token: z.string(),
  agents: z.object({ planner: z.string(), translator: z.string(), concierge: z.string() }),
});
export type TestCredentials = z.infer<typeof credentialsSchema>;

/** A whole relay as an operator starts it: `npm start` without npm. */
export class TestRelay {
  readonly dataDir: string;
  readonly port: number;
  readonly #environment: Readonly<Record<string, string>>;
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
    const process = startProcess({
      RELAY_DATA_DIR: this.dataDir,
      RELAY_PORT: String(this.port),
      ...this.#environment,
    });
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
    await this.#end('SIGKILL');
  }

  /** Stops it in order and removes its data. */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const process = this.#process;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const ended = once(process, 'exit');
    process.kill(signal);
    await ended;
  }
}

/** Runs the relay to its end: for starts that must be refused. */
export async function runRelay(
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  const process = startProcess(environment);
  let output = '';
  process.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  process.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(process, 'exit');
  return { code, output };
}

/** What `npm start` runs: it builds first what was changed. */
function startProcess(environment: Record<string, string>): ChildProcess {
  const start = resolve(import.meta.dirname, '../../scripts/start.mjs');
  const child = spawn(process.execPath, [start], {
    env: { PATH: process.env['PATH'], RELAY_LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const killChild = () => child.kill('SIGKILL');
  process.once('exit', killChild);
  child.once('exit', () => process.off('exit', killChild));
  return child;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
