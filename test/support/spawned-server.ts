import { readdirSync, readFileSync } from 'node:fs';
import { killWhenThisProcessEnds } from './reaper.ts';

interface RunningServer {
  readonly pid: number;
  readonly url: string;
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

interface SpawnOptions {
  readonly directory: string;
  readonly launch: () => Promise<RunningServer>;
  readonly cleanUp: () => Promise<void>;
}

/** A server that a test may kill, freeze and start again. */
export class SpawnedServer {
  readonly #options: SpawnOptions;
  #server: RunningServer;

  private constructor(options: SpawnOptions, server: RunningServer) {
    this.#options = options;
    this.#server = server;
  }

  static async start(options: SpawnOptions): Promise<SpawnedServer> {
    return new SpawnedServer(options, await launch(options));
  }

  get url(): string {
    return this.#server.url;
  }

  get pid(): number {
    return this.#server.pid;
  }

  async stop(): Promise<void> {
    await this.#stopServer();
    await this.#options.cleanUp();
  }

  async kill(): Promise<void> {
    process.kill(this.pid, 'SIGKILL');
    await this.#server.exited;
  }

  async restart(): Promise<void> {
    await this.#stopServer();
    this.#server = await launch(this.#options);
  }

  /** It has stopped when this returns: on a busy machine it would go on for a while. */
  pause(): void {
    process.kill(this.pid, 'SIGSTOP');
    waitUntilStopped(this.pid);
  }

  resume(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  /** A paused server would not see the request to stop. */
  async #stopServer(): Promise<void> {
    const stopped = this.#server.stop();
    if (isAlive(this.pid)) this.resume();
    await stopped;
  }
}

async function launch({ directory, launch }: SpawnOptions): Promise<RunningServer> {
  const server = await launch();
  killWhenThisProcessEnds(server.pid, directory);
  return server;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Linux stops threads one after the other. Where there is no /proc nobody can tell. */
function waitUntilStopped(pid: number): void {
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  while (threadStates(pid).some((state) => state !== 'T')) Atomics.wait(sleeper, 0, 0, 1);
}

function threadStates(pid: number): string[] {
  const directory = `/proc/${pid}/task`;
  try {
    return readdirSync(directory).map((thread) => {
      const stat = readFileSync(`${directory}/${thread}/stat`, 'utf8');
      return stat.charAt(stat.lastIndexOf(')') + 2);
    });
  } catch {
    return [];
  }
}
