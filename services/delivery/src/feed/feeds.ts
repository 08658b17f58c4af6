import type { Bus } from '@relay/bus';
import type { AgentId } from '@relay/protocol';
import { AgentFeed, type FeedContext } from './agent-feed.ts';
import { BacklogReader } from './backlog.ts';
import { ByteBudget } from './byte-budget.ts';
import { feedRecordSchema } from './feed-record.ts';
import { FeedSaver } from './feed-saver.ts';

const readAheadBytes = 256 * 1024 * 1024;
const refreshedAtOnce = 64;

/** The feeds that this process serves. */
export class Feeds {
  readonly #context: FeedContext;
  readonly #feeds = new Map<AgentId, AgentFeed>();
  readonly #forgetReconnects: (() => void)[];

  constructor(bus: Bus, group: string, replicaId: string) {
    this.#context = {
      bus,
      records: bus.bucket('feeds', '', feedRecordSchema),
      saver: new FeedSaver(),
      backlog: new BacklogReader(bus),
      budget: new ByteBudget(readAheadBytes),
      replicaId,
      group,
    };
    const refresh = () => void this.#refresh();
    this.#forgetReconnects = [bus.onReconnect(refresh), bus.live.onReconnect(refresh)];
  }

  /** The agent's feed, kept open until it is released. */
  hold(agentId: AgentId): AgentFeed {
    const feed = this.#feeds.get(agentId) ?? this.#open(agentId);
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
  }

  #open(agentId: AgentId): AgentFeed {
    const feed = new AgentFeed(this.#context, agentId, () => this.#end(feed));
    this.#feeds.set(agentId, feed);
    feed.opened.catch(() => this.#end(feed));
    return feed;
  }

  #end(feed: AgentFeed): void {
    if (this.#feeds.get(feed.agentId) !== feed) return;
    this.#feeds.delete(feed.agentId);
    feed.close();
  }

  /** What was published while a connection was down was not heard. */
  async #refresh(): Promise<void> {
    const feeds = [...this.#feeds.values()];
    while (feeds.length > 0) {
      const some = feeds.splice(0, refreshedAtOnce);
      await Promise.allSettled(some.map((feed) => feed.refresh()));
    }
  }
}
