import type { TrackedProcess } from '../measure/processes.ts';
import { RemoteProcess } from '../remote/remote-process.ts';
import {
  type ClosedLoop,
  type LoadResult,
  loadResultSchema,
  type MessageRange,
  type Moments,
  messageRangeSchema,
  momentsSchema,
  type Target,
} from './orders.ts';

/** The client of a bench, in a process of its own. */
export class LoadClient {
  readonly #remote = RemoteProcess.start(
    'load client',
    new URL('./load-process.js', import.meta.url),
  );

  get process(): TrackedProcess {
    return { name: 'load client', pid: this.#remote.pid };
  }

  run(order: ClosedLoop): Promise<LoadResult> {
    return this.#remote.call('run', order, loadResultSchema);
  }

  openWaits(target: Target, count: number): Promise<MessageRange> {
    return this.#remote.call('openWaits', { target, count }, messageRangeSchema);
  }

  collectWaits(): Promise<Moments> {
    return this.#remote.call('collectWaits', undefined, momentsSchema);
  }

  stop(): Promise<void> {
    return this.#remote.stop();
  }
}
