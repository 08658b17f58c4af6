import type { AgentId } from '@relay/protocol';
import { SharedPause } from '../pause.ts';
import { AgentFeed } from './agent-feed.ts';
import { BacklogReader } from './backlog.ts';
import { ByteBudget } from './byte-budget.ts';
import type { FeedContext, FeedOwner } from './feed-context.ts';
import { feedRecordSchema } from './feed-record.ts';
import { FeedSaver } from './feed-saver.ts';
import { InboxBounds } from './inbox-bounds.ts';

export type FeedsOptions = Pick<FeedContext, 'bus' | 'logger' | 'replicaId' | 'group'>;

const readAheadBytes = 256 * 1024 * 1024;
const refreshedAtOnce = 64;

/** The feeds that this process serves. */
export class Feeds {
  readonly #context: FeedContext;
  readonly #feeds = new Map<AgentId, AgentFeed>();
  readonly #toRefresh = new Set<AgentFeed>();
  #isRefreshing = false;
  readonly #pause = new SharedPause();
  readonly #forgetReconnects: (() => void)[];

  constructor(options: FeedsOptions) {
    const { bus } = options;
    this.#context = {
      ...options,
      records: bus.bucket('feeds', '', feedRecordSchema),
      saver: new FeedSaver(),
      backlog: new BacklogReader(bus),
      bounds: new InboxBounds(bus.inbox.stream),
      budget: new ByteBudget(readAheadBytes),
    };
    const refresh = () => void this.#refreshAll();
    this.#forgetReconnects = [bus.onReconnect(refresh), bus.live.onReconnect(refresh)];
  }

  /** The agent's feed, kept open until it is released. */
  hold(owner: FeedOwner): AgentFeed {
    const feed = this.#feeds.get(owner.agentId) ?? this.#open(owner);
    feed.hold();
    return feed;
  }

  /** Saves what is acknowledged and not yet saved. */
  flush(): Promise<void> {
    return this.#context.saver.flush();
  }

  close(): void {
    for (const forget of this.#forgetReconnects) forget();
    this.#context.saver.close();
    for (const feed of this.#feeds.values()) feed.close();
    this.#feeds.clear();
    this.#toRefresh.clear();
  }

  #open(owner: FeedOwner): AgentFeed {
    const feed = new AgentFeed(this.#context, owner, () => this.#end(feed));
    this.#feeds.set(owner.agentId, feed);
    feed.opened.catch(() => this.#end(feed));
    return feed;
  }

  #end(feed: AgentFeed): void {
    if (this.#feeds.get(feed.agentId) !== feed) return;
    this.#feeds.delete(feed.agentId);
    this.#toRefresh.delete(feed);
    feed.close();
  }

  /** What was published while a connection was down was not heard. */
  async #refreshAll(): Promise<void> {
    for (const feed of this.#feeds.values()) this.#toRefresh.add(feed);
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    while (this.#toRefresh.size > 0) {
      const some = [...this.#toRefresh].slice(0, refreshedAtOnce);
      for (const feed of some) this.#toRefresh.delete(feed);
      const outcomes = await Promise.allSettled(some.map((feed) => feed.refresh()));
      const failed = some.filter((_, index) => outcomes[index]?.status === 'rejected');
      for (const feed of failed) this.#refreshLater(feed);
      if (failed.length > 0) await this.#pause.wait();
    }
    this.#isRefreshing = false;
  }

  /** NATS is not back yet. */
  #refreshLater(feed: AgentFeed): void {
    if (this.#feeds.get(feed.agentId) === feed) this.#toRefresh.add(feed);
  }
}
