import type { Lease, LeaseHandlers } from '@relay/bus';
import { changeSources } from './change-source.ts';
import { InboxWriter } from './inbox-writer.ts';
import type { FanOutContext } from './partition-fan-out.ts';
import { SourceFanOut } from './source-fan-out.ts';

/**
 * Turns the changes of tasks and chats, in the partitions whose leases this replica holds, into events in
 * agents' inboxes. An agent's inbox has one writer here, whatever the events are of.
 */
export class FanOut implements LeaseHandlers {
  readonly #writer: InboxWriter;
  readonly #sources: readonly SourceFanOut[];

  constructor(context: FanOutContext) {
    this.#writer = new InboxWriter(context);
    this.#sources = changeSources(context.bus).map(
      (source) => new SourceFanOut(context, source, this.#writer),
    );
  }

  /** Whether all that is owned is being read. */
  isReady(): boolean {
    return this.#sources.every((source) => source.isReady());
  }

  acquired(lease: Lease): void {
    this.#writer.forget();
    for (const source of this.#sources) source.acquired(lease);
  }

  async lost(name: string): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.lost(name)));
  }

  close(): void {
    for (const source of this.#sources) source.close();
  }
}
