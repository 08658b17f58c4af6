import type { Bus, Lease } from '@relay/bus';

/** What is done by one live owner alone. */
export interface Owner {
  close(): Promise<void>;
}

interface OwnersOptions {
  readonly bus: Bus;
  readonly group: string;
  readonly replicaId: string;
  /** By the name of the lease under which it works. */
  readonly owners: Readonly<Record<string, (lease: Lease) => Owner>>;
}

/** Lets each owner work in the replica that holds its lease. Closing gives the leases back. */
export async function startOwners({
  bus,
  group,
  replicaId,
  owners,
}: OwnersOptions): Promise<Owner> {
  const owned = new Map<string, Owner | undefined>();
  const leases = bus.holdLeases({
    group,
    replicaId,
    names: Object.keys(owners),
    handlers: {
      acquired: (lease) => owned.set(lease.name, owners[lease.name]?.(lease)),
      lost: async (name) => {
        await owned.get(name)?.close();
        owned.delete(name);
      },
    },
  });
  await leases.start();
  return { close: () => leases.stop() };
}
