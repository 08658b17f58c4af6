import { ShownGauge } from '@relay/runtime';
import { z } from 'zod';
import type { Bucket } from './bucket.ts';
import type { LiveSubscription, LiveSubscriptions } from './live.ts';
import { subjects } from './subjects.ts';
import { leaseTimeToLive } from './topology.ts';

export const leaseSchema = z.object({ replicaId: z.string() });
export type LeaseRecord = z.infer<typeof leaseSchema>;

const holders = new ShownGauge({
  name: 'relay_lease_held',
  help: 'Whether this process holds a lease: 1 in one process of the group, 0 in the others.',
  labelNames: ['group', 'lease'],
});

const renewInterval = 3_000;
/** An owner stops this long after it sent its last renewal that succeeded; the lease itself lives longer. */
const ownershipTime = leaseTimeToLive - 3_000;

/** The right to be the one owner of something. Check it in the same tick as each append or dial. */
export interface Lease {
  readonly name: string;
  isHeld(): boolean;
}

export interface LeaseHandlers {
  acquired(lease: Lease): void;
  /**
   * Stop the work at once; resolves when nothing of it is left. A lease that is given back is held until
   * then, unless that takes too long: what is left may be written down under it.
   */
  lost(name: string): Promise<void>;
}

export interface LeaseOptions {
  /** Which kind of service shares these leases, such as `delivery`. */
  readonly group: string;
  readonly replicaId: string;
  readonly names: readonly string[];
  readonly handlers: LeaseHandlers;
}

/** The key by which a replica of a group shows that it is there. */
export function presenceKey(group: string, replicaId: string): string {
  return `presence.${group}.${replicaId}`;
}

interface HeldLease {
  readonly lease: Lease;
  revision: number;
  /** Monotonic time at which the last renewal that succeeded was sent. */
  renewedAt: number;
}

/**
 * Holds this replica's share of a group's leases: leases divided by replicas present, rounded up. It
 * renews, gives back what is over, and takes what is free.
 */
export class LeaseHolder {
  readonly #bucket: Bucket<LeaseRecord>;
  readonly #live: LiveSubscriptions;
  readonly #options: LeaseOptions;
  readonly #held = new Map<string, HeldLease>();
  /** Those of them whose work is ending; they are not renewed any more. */
  readonly #givingBack = new Map<string, Promise<void>>();
  readonly #presenceKey: string;
  #presenceRevision: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #freed: LiveSubscription | undefined;
  #round: Promise<void> = Promise.resolve();
  #isRoundWaiting = false;
  #isStopped = false;
  #hide: (() => void) | undefined;

  constructor(bucket: Bucket<LeaseRecord>, live: LiveSubscriptions, options: LeaseOptions) {
    this.#bucket = bucket;
    this.#live = live;
    this.#options = options;
    this.#presenceKey = presenceKey(options.group, options.replicaId);
  }

  async start(): Promise<void> {
    // Where this is not heard, the next round comes soon enough.
    this.#freed = this.#live.subscribeCore(this.#freedSubject(), () => this.#runSoon());
    this.#freed.ready.catch(() => undefined);
    this.#hide = holders.show(() => this.#showHeld());
    this.#timer = setInterval(() => this.#runSoon(), renewInterval);
    this.#runSoon();
    await this.#round;
  }

  /** Ends all work under leases, then gives them back so that another replica need not wait. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#freed?.unsubscribe();
    await this.#round;
    await Promise.all([...this.#held.keys()].map((name) => this.#giveBack(name)));
    await this.#bucket.purge(this.#presenceKey).catch(() => undefined);
    this.#live.publish(this.#freedSubject(), '');
    this.#hide?.();
  }

  /** How many leases this replica holds now. */
  get heldCount(): number {
    return [...this.#held.values()].filter(({ lease }) => lease.isHeld()).length;
  }

  #showHeld() {
    const { group, names } = this.#options;
    return names.map((lease) => ({
      labels: { group, lease },
      value: this.#held.get(lease)?.lease.isHeld() ? 1 : 0,
    }));
  }

  #runSoon(): void {
    if (this.#isStopped || this.#isRoundWaiting) return;
    this.#isRoundWaiting = true;
    // A round that fails (NATS is away) is made up for by the next; held leases end by their own clock.
    this.#round = this.#round.then(() => this.#runRound()).catch(() => this.#dropExpired());
  }

  async #runRound(): Promise<void> {
    this.#isRoundWaiting = false;
    if (this.#isStopped) return;
    // One that fails is made up for by the next, while the lease is still held.
    await Promise.allSettled(this.#kept().map((name) => this.#renew(name)));
    await this.#dropExpired();
    await this.#showPresence();
    const share = await this.#share();
    const surplus = [...this.#held.keys()].slice(share);
    // The others must be renewed meanwhile.
    for (const name of surplus) this.#giveBack(name).catch(() => undefined);
    await this.#acquireUpTo(share);
  }

  /** The work begins when all are there: what it reads at once would hold up the answers for the others. */
  async #acquireUpTo(share: number): Promise<void> {
    const acquired: Lease[] = [];
    try {
      for (const name of this.#options.names) {
        if (this.#held.size >= share) return;
        const lease = this.#held.has(name) ? undefined : await this.#tryAcquire(name);
        if (lease) acquired.push(lease);
      }
    } finally {
      for (const lease of acquired) this.#options.handlers.acquired(lease);
    }
  }

  async #renew(name: string): Promise<void> {
    const held = this.#held.get(name);
    if (!held) return;
    const sentAt = performance.now();
    const written = await this.#bucket.update(this.#key(name), this.#record(), held.revision);
    const revision = written ?? (await this.#renewUnknown(name));
    // Whoever saw that it was not held has dropped work. Held again, it would go on behind that work.
    if (revision === undefined || !held.lease.isHeld()) return this.#lose(name);
    held.revision = revision;
    held.renewedAt = sentAt;
  }

  async #tryAcquire(name: string): Promise<Lease | undefined> {
    const sentAt = performance.now();
    const created = await this.#bucket.create(this.#key(name), this.#record());
    const revision = created ?? (await this.#renewUnknown(name));
    if (revision === undefined) return undefined;
    const lease: Lease = {
      name,
      isHeld: () => {
        const current = this.#held.get(name);
        return current?.lease === lease && performance.now() - current.renewedAt < ownershipTime;
      },
    };
    this.#held.set(name, { lease, revision, renewedAt: sentAt });
    return lease;
  }

  /** Ours may have been stored by a write whose answer was lost: nobody else could take it until it expires. */
  async #renewUnknown(name: string): Promise<number | undefined> {
    const entry = await this.#bucket.get(this.#key(name));
    if (entry?.value.replicaId !== this.#options.replicaId) return undefined;
    return this.#bucket.update(this.#key(name), this.#record(), entry.revision);
  }

  #kept(): string[] {
    return [...this.#held.keys()].filter((name) => !this.#givingBack.has(name));
  }

  #giveBack(name: string): Promise<void> {
    const known = this.#givingBack.get(name);
    if (known) return known;
    const given = this.#endAndGiveBack(name).finally(() => this.#givingBack.delete(name));
    this.#givingBack.set(name, given);
    return given;
  }

  async #endAndGiveBack(name: string): Promise<void> {
    const held = this.#held.get(name);
    if (!held) return;
    try {
      await this.#options.handlers.lost(name);
    } finally {
      this.#held.delete(name);
      await this.#bucket.deleteAt(this.#key(name), held.revision).catch(() => false);
      this.#live.publish(this.#freedSubject(), '');
    }
  }

  async #dropExpired(): Promise<void> {
    const expired = this.#kept().filter((name) => !this.#held.get(name)?.lease.isHeld());
    await Promise.all(expired.map((name) => this.#lose(name)));
  }

  async #lose(name: string): Promise<void> {
    this.#held.delete(name);
    await this.#options.handlers.lost(name);
  }

  async #showPresence(): Promise<void> {
    const { replicaId } = this.#options;
    const key = this.#presenceKey;
    this.#presenceRevision =
      this.#presenceRevision === undefined
        ? undefined
        : await this.#bucket.update(key, { replicaId }, this.#presenceRevision);
    this.#presenceRevision ??= (await this.#bucket.change(key, () => ({ replicaId })))?.revision;
  }

  async #share(): Promise<number> {
    const replicas = await this.#bucket.keys(`presence.${this.#options.group}.`);
    return Math.ceil(this.#options.names.length / Math.max(1, replicas.length));
  }

  #freedSubject(): string {
    return subjects.freedLease(this.#options.group);
  }

  #key(name: string): string {
    return `lease.${this.#options.group}.${name}`;
  }

  #record(): LeaseRecord {
    return { replicaId: this.#options.replicaId };
  }
}
