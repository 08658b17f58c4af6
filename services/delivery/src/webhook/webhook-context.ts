import type { Bucket, Bus } from '@relay/bus';
import type { Outbound } from '@relay/outbound';
import type { Logger, Sealer } from '@relay/runtime';
import type { BacklogReader } from '../feed/backlog.ts';
import type { ByteBudget } from '../feed/byte-budget.ts';
import type { FeedRecord } from '../feed/feed-record.ts';
import type { FeedSaver } from '../feed/feed-saver.ts';
import type { InboxBounds } from '../feed/inbox-bounds.ts';
import type { SharedPause } from '../pause.ts';
import type { PushSending } from '../push/push-sending.ts';
import type { RetrySchedule } from './retry-schedule.ts';

/** What all webhooks of a process share. */
export interface WebhookContext {
  readonly bus: Bus;
  readonly outbound: Outbound;
  readonly sealer: Sealer;
  readonly logger: Logger;
  readonly schedule: RetrySchedule;
  /** How long one attempt may take. */
  readonly timeoutMilliseconds: number;
  readonly records: Bucket<FeedRecord>;
  readonly saver: FeedSaver;
  readonly backlog: BacklogReader;
  readonly bounds: InboxBounds;
  readonly budget: ByteBudget;
  readonly pause: SharedPause;
  /** How push notifications are sent; undefined where none are. */
  readonly push: PushSending | undefined;
}
