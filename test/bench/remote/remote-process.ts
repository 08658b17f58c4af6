import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';

const replySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('done'), call: z.int(), result: z.unknown().optional() }),
  z.object({ type: z.literal('failed'), call: z.int(), reason: z.string() }),
]);

interface PendingCall {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** A process of the bench that is told what to do, so that its work is not on our event loop. */
export class RemoteProcess {
  readonly pid: number;
  readonly #name: string;
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, PendingCall>();
  #calls = 0;

  private constructor(name: string, child: ChildProcess) {
    if (child.pid === undefined) throw new Error(`${name} did not start`);
    this.pid = child.pid;
    this.#name = name;
    this.#child = child;
    child.on('message', (message) => this.#settle(replySchema.parse(message)));
    child.once('exit', (code, signal) => this.#rejectAll(`${name} ended: ${signal ?? code}`));
  }

  /** @param module path of a compiled module that calls `serveCalls` */
  static start(name: string, module: URL): RemoteProcess {
    const child = fork(module, { env: { PATH: process.env['PATH'], NODE_ENV: 'production' } });
    return new RemoteProcess(name, child);
  }

  async call<Result>(method: string, input: unknown, result: z.ZodType<Result>): Promise<Result> {
    this.#calls += 1;
    const call = this.#calls;
    const answered = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(call, { resolve, reject });
      this.#child.send({ call, method, input }, (error) => {
        if (error) reject(new Error(`${this.#name} cannot be told to ${method}: ${error.message}`));
      });
    });
    return result.parse(await answered);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.disconnect();
    await ended;
  }

  #settle(reply: z.infer<typeof replySchema>): void {
    const pending = this.#pending.get(reply.call);
    this.#pending.delete(reply.call);
    if (reply.type === 'done') pending?.resolve(reply.result);
    else pending?.reject(new Error(`${this.#name}: ${reply.reason}`));
  }

  #rejectAll(reason: string): void {
    for (const call of this.#pending.values()) call.reject(new Error(reason));
    this.#pending.clear();
  }
}
