import type { Bucket, Bus } from '@relay/bus';
import type { AgentId } from '@relay/protocol';
import type { Logger } from '@relay/runtime';
import type { BacklogReader } from './backlog.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { FeedRecord } from './feed-record.ts';
import type { FeedSaver } from './feed-saver.ts';
import type { InboxBounds } from './inbox-bounds.ts';

/** What all feeds of a process share. */
export interface FeedContext {
  readonly bus: Bus;
  readonly records: Bucket<FeedRecord>;
  readonly saver: FeedSaver;
  readonly backlog: BacklogReader;
  readonly bounds: InboxBounds;
  readonly budget: ByteBudget;
  readonly logger: Logger;
  readonly replicaId: string;
  /** The group of leases by which replicas show that they are there. */
  readonly group: string;
}

/** Whose feed it is, and since when there can be events for it, in milliseconds since the epoch. */
export interface FeedOwner {
  readonly agentId: AgentId;
  readonly registeredAt: number;
}
