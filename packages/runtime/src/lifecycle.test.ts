import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Lifecycle, StoppingError } from './lifecycle.ts';
import { createLogger } from './logger.ts';

const createLifecycle = () => new Lifecycle(createLogger({ logLevel: 'silent' }, 'test'));

describe('Lifecycle', () => {
  it('starts in order and stops in reverse', async () => {
    const lifecycle = createLifecycle();
    const calls: string[] = [];
    for (const name of ['nats', 'service']) {
      await lifecycle.start(
        name,
        () => void calls.push(`start ${name}`),
        () => void calls.push(`stop ${name}`),
      );
    }
    await lifecycle.stop();
    expect(calls).toEqual(['start nats', 'start service', 'stop service', 'stop nats']);
  });

  it('gives the started thing back, and to its stop', async () => {
    const lifecycle = createLifecycle();
    const stopped: string[] = [];
    const started = await lifecycle.start(
      'connection',
      () => 'connection 1',
      (connection) => void stopped.push(connection),
    );
    await lifecycle.stop();
    expect([started, ...stopped]).toEqual(['connection 1', 'connection 1']);
  });

  it('stops only what has started', async () => {
    const lifecycle = createLifecycle();
    const failing = lifecycle.start(
      'service',
      () => Promise.reject(new Error('port taken')),
      () => expect.unreachable(),
    );
    await expect(failing).rejects.toThrow('port taken');
    await lifecycle.stop();
  });

  it('stops the others after one that fails to stop, then tells', async () => {
    const lifecycle = createLifecycle();
    const stopped: string[] = [];
    await lifecycle.start(
      'first',
      () => undefined,
      () => void stopped.push('first'),
    );
    await lifecycle.start(
      'second',
      () => undefined,
      () => Promise.reject(new Error('stuck')),
    );
    await expect(lifecycle.stop()).rejects.toThrow('not every step stopped cleanly');
    expect(stopped).toEqual(['first']);
  });

  it('stops a step that was still starting, and starts no other', async () => {
    const lifecycle = createLifecycle();
    const stopped: string[] = [];
    const starting = lifecycle.start(
      'slow',
      () => setTimeout(20, 'slow'),
      (name) => void stopped.push(name),
    );
    const stopping = lifecycle.stop();
    await Promise.all([starting, stopping]);
    expect(stopped).toEqual(['slow']);
    await expect(lifecycle.start('late', () => undefined)).rejects.toThrow(StoppingError);
  });
});
