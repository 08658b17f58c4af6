import { describe, expect, it, vi } from 'vitest';
import { Lanes } from './lanes.ts';

/** Work that ends when it is told to. */
class ControlledWork {
  hasStarted = false;
  #resolve: (() => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  readonly run = (): Promise<void> => {
    this.hasStarted = true;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  };

  finish(): void {
    this.#resolve?.();
  }

  fail(error: Error): void {
    this.#reject?.(error);
  }

  async started(): Promise<void> {
    await vi.waitUntil(() => this.hasStarted, { timeout: 15_000, interval: 1 });
  }
}

describe('Lanes', () => {
  it('runs work of one key in order', async () => {
    const lanes = new Lanes(16);
    const [first, second] = [new ControlledWork(), new ControlledWork()];
    const runs = [lanes.run('task', first.run), lanes.run('task', second.run)];
    await first.started();
    expect(second.hasStarted).toBe(false);
    first.finish();
    await second.started();
    second.finish();
    await Promise.all(runs);
  });

  it('runs different keys at the same time, up to the limit', async () => {
    const lanes = new Lanes(2);
    const [first, second, third] = [
      new ControlledWork(),
      new ControlledWork(),
      new ControlledWork(),
    ];
    const works = [first, second, third];
    const runs = works.map((work, index) => lanes.run(`task ${index}`, work.run));
    await Promise.all([first.started(), second.started()]);
    expect(third.hasStarted).toBe(false);
    second.finish();
    await third.started();
    for (const work of works) work.finish();
    await Promise.all(runs);
  });

  it('fails what waits behind work that failed, and takes that key up anew', async () => {
    const lanes = new Lanes(1);
    const [first, second] = [new ControlledWork(), new ControlledWork()];
    const runs = [lanes.run('task', first.run), lanes.run('task', second.run)];
    await first.started();
    first.fail(new Error('not now'));
    const outcomes = await Promise.allSettled(runs);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(second.hasStarted).toBe(false);
    await lanes.run('task', async () => undefined);
  });
});
