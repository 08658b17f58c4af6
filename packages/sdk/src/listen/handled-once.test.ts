import { describe, expect, it, vi } from 'vitest';
import { HandledOnce } from './handled-once.ts';

describe('HandledOnce', () => {
  it('joins an event that comes again while it is handled', async () => {
    const once = new HandledOnce();
    const handle = vi.fn<() => Promise<void>>().mockResolvedValue();
    await Promise.all([once.run('event', handle), once.run('event', handle)]);
    expect(handle).toHaveBeenCalledTimes(1);
  });

  it('does not handle an event again', async () => {
    const once = new HandledOnce();
    const handle = vi.fn<() => Promise<void>>().mockResolvedValue();
    await once.run('event', handle);
    await once.run('event', handle);
    await once.run('other', handle);
    expect(handle).toHaveBeenCalledTimes(2);
  });

  it('handles an event again that failed', async () => {
    const once = new HandledOnce();
    const failing = once.run('event', () => Promise.reject(new Error('not now')));
    await expect(failing).rejects.toThrow('not now');
    const handle = vi.fn<() => Promise<void>>().mockResolvedValue();
    await once.run('event', handle);
    expect(handle).toHaveBeenCalledTimes(1);
  });

  it('knows when nothing runs, also after a failure', async () => {
    const once = new HandledOnce();
    const failing = once.run('event', () => Promise.reject(new Error('not now')));
    await Promise.all([once.settled(), expect(failing).rejects.toThrow('not now')]);
  });
});
