import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

/** The command as it is installed. It must have been built. */
export const cliPath = resolve(import.meta.dirname, '../../packages/cli/bin/relay.mjs');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The command line, as a shell with these variables alone would run it. */
export class TestCli {
  readonly #environment: Readonly<Record<string, string>>;

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  with(environment: Readonly<Record<string, string>>): TestCli {
    return new TestCli({ ...this.#environment, ...environment });
  }

  /** Runs it to its end. */
  async run(args: readonly string[], input?: string): Promise<CliResult> {
    const running = this.start(args);
    running.child.stdin?.end(input ?? '');
    const code = await running.ended;
    return { code, stdout: running.stdout, stderr: running.stderr };
  }

  /** What a command that must be done prints. */
  async done(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new Error(`relay ${args.join(' ')} ended with ${code}: ${stderr}`);
    return stdout;
  }

  /** The same as JSON. */
  async json(...args: readonly string[]): Promise<unknown> {
    return JSON.parse(await this.done(...args, '--json'));
  }

  start(args: readonly string[]): RunningCli {
    return new RunningCli(args, this.#environment);
  }
}

/** A command that has not ended. It is gone when this process ends. */
export class RunningCli {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], environment: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [cliPath, ...args], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: 'pipe',
    });
    const killChild = () => this.child.kill('SIGKILL');
    process.once('exit', killChild);
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString();
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    this.ended = once(this.child, 'close').then(([code]) => {
      process.off('exit', killChild);
      return code === null ? null : Number(code);
    });
  }

  /** The lines that it has printed. */
  get lines(): string[] {
    return this.stdout.split('\n').filter((line) => line !== '');
  }

  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }
}
