import {
  type Bus,
  type Lease,
  type LeaseHandlers,
  type Partition,
  partitionOfSubject,
} from '@relay/bus';
import type { Outbound } from '@relay/outbound';
import type { Config, Logger, Sealer } from '@relay/runtime';
import { BacklogReader } from '../feed/backlog.ts';
import { ByteBudget } from '../feed/byte-budget.ts';
import { feedRecordSchema } from '../feed/feed-record.ts';
import { FeedSaver } from '../feed/feed-saver.ts';
import { InboxBounds } from '../feed/inbox-bounds.ts';
import type { SharedPause } from '../pause.ts';
import type { PushSending } from '../push/push-sending.ts';
import { InboxNews } from './inbox-news.ts';
import { showPending } from './metrics.ts';
import { PartitionWebhooks } from './partition-webhooks.ts';
import type { WebhookContext } from './webhook-context.ts';

const readAheadBytes = 128 * 1024 * 1024;
const tidyInterval = 250;
const ticksToIdle = 40;

export interface WebhooksOptions {
  readonly bus: Bus;
  readonly outbound: Outbound;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly pause: SharedPause;
  readonly push: PushSending | undefined;
  readonly config: Pick<Config, 'webhookRetrySeconds' | 'webhookTimeoutSeconds'>;
}

/** Sends events to webhooks, for the agents of the partitions whose leases this replica holds. */
export class Webhooks implements LeaseHandlers {
  readonly #context: WebhookContext;
  readonly #news: InboxNews;
  readonly #partitions = new Map<Partition, PartitionWebhooks>();
  readonly #timer: NodeJS.Timeout;
  readonly #forgetReconnects: (() => void)[];
  readonly #forgetPending: () => void;
  #ticks = 0;

  constructor({ config, ...options }: WebhooksOptions) {
    const { bus } = options;
    this.#context = {
      ...options,
      schedule: config.webhookRetrySeconds.map((seconds) => seconds * 1_000),
      timeoutMilliseconds: Math.round(config.webhookTimeoutSeconds * 1_000),
      records: bus.bucket('feeds', '', feedRecordSchema),
      saver: new FeedSaver(),
      backlog: new BacklogReader(bus),
      bounds: new InboxBounds(bus.inbox.stream),
      budget: new ByteBudget(readAheadBytes),
    };
    this.#news = new InboxNews(bus, (message) =>
      this.#partitions.get(partitionOfSubject(message.subject))?.hearStored(message),
    );
    this.#timer = setInterval(() => this.#tick(), tidyInterval).unref();
    this.#forgetPending = showPending(() =>
      [...this.#partitions.values()].flatMap(({ pending }) => pending),
    );
    this.#forgetReconnects = [
      bus.live.onReconnect(() => this.#lookAgain()),
      bus.onReconnect(() => void this.#beginAnewIfRolledBack()),
    ];
  }

  acquired(lease: Lease): void {
    this.#begin(new PartitionWebhooks(this.#context, lease, this.#news));
  }

  async lost(name: string): Promise<void> {
    const partition = this.#partitions.get(Number(name));
    this.#partitions.delete(Number(name));
    await partition?.close();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const forget of this.#forgetReconnects) forget();
    this.#forgetPending();
    this.#context.saver.close();
    this.#news.close();
  }

  #begin(webhooks: PartitionWebhooks): void {
    const { partition } = webhooks;
    this.#partitions.set(partition, webhooks);
    webhooks
      .takeOver()
      .catch((error: unknown) =>
        this.#context.logger.error({ partition, err: error }, 'webhooks.failed'),
      );
  }

  /** A store that is an older copy is stored to again under sequences that were read before. */
  async #beginAnewIfRolledBack(): Promise<void> {
    const { lastSequence } = this.#news;
    const last = await this.#context.bus.inbox.stream.lastSequence().catch(() => undefined);
    if (last === undefined || last >= lastSequence) return;
    for (const webhooks of this.#partitions.values()) this.#begin(webhooks.begunAnew());
  }

  #tick(): void {
    this.#ticks = (this.#ticks + 1) % ticksToIdle;
    for (const partition of this.#partitions.values()) partition.tidy(this.#ticks === 0);
  }

  #lookAgain(): void {
    for (const partition of this.#partitions.values()) partition.lookAgain();
  }
}
