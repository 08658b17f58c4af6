import { jetstreamManager } from '@nats-io/jetstream';
import { openConnection } from './connection.ts';
import { countSealed, type SealedCounts } from './count-sealed.ts';
import { streams } from './subjects.ts';
import { inspectTopology, type TopologyReport } from './topology.ts';

/** What a look at NATS finds. */
export interface NatsReport extends TopologyReport {
  readonly version: string;
  readonly roundTripMilliseconds: number;
  /** Bytes on disk, and how many there may be; -1 where nothing limits them but the disk. */
  readonly storage: { readonly used: number; readonly limit: number };
  /** How many messages each stream holds. */
  readonly messages: Readonly<Record<string, number>>;
  readonly sealed: SealedCounts;
  /** When a lease was renewed last, by the clock of NATS in milliseconds since the epoch; every 3 s while Relay runs. */
  readonly leaseRenewedAt: number | null;
}

/** @throws Error where NATS cannot be reached */
export async function inspectNats(servers: string, replicas: number): Promise<NatsReport> {
  const connection = await openConnection({ servers, name: 'relay doctor' });
  const { nats } = connection;
  try {
    const roundTripMilliseconds = await nats.rtt();
    const version = nats.info?.version ?? '';
    const nothing = {
      storage: { used: 0, limit: -1 },
      messages: {},
      sealed: {},
      leaseRenewedAt: null,
    };
    if (!nats.info?.jetstream) {
      const problems = ['NATS runs without JetStream; start it with JetStream on.'];
      return { version, roundTripMilliseconds, problems, missing: [], ...nothing };
    }
    const manager = await jetstreamManager(nats);
    const { storage, limits } = await manager.getAccountInfo();
    const messages: Record<string, number> = {};
    let leaseRenewedAt: number | null = null;
    for await (const { config, state } of manager.streams.list()) {
      messages[config.name] = state.messages;
      if (config.name === 'KV_leases' && state.messages > 0) {
        leaseRenewedAt = Date.parse(state.last_ts);
      }
    }
    const hasRecords = streams.feeds in messages && streams.registry in messages;
    return {
      version,
      roundTripMilliseconds,
      ...(await inspectTopology(nats, manager, replicas)),
      storage: { used: storage, limit: limits.max_storage },
      messages: Object.fromEntries(
        Object.values(streams).flatMap((name) =>
          name in messages ? [[name, messages[name] ?? 0]] : [],
        ),
      ),
      sealed: hasRecords ? await countSealed(connection) : {},
      leaseRenewedAt,
    };
  } finally {
    await connection.close();
  }
}
