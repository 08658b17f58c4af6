import { setTimeout as delay } from 'node:timers/promises';
import { startCluster } from '../support/cluster.ts';
import { LedgerLoad } from '../support/ledger/load.ts';
import type { Fault } from './faults.ts';

export interface CrashReport {
  readonly rounds: number;
  /** Tasks whose creation was acknowledged; each had two more changes. */
  readonly acknowledged: number;
  readonly duplicates: number;
  readonly longestOutageSeconds: number;
  /** What is not as it was acknowledged. */
  readonly faults: readonly string[];
}

export interface CrashRunOptions {
  /** One a round, in this order. */
  readonly faults: readonly Fault[];
  readonly senders: number;
  readonly secondsBetween: number;
  readonly onRound: (line: string) => void;
}

/** Two of each service under load while one after the other is struck; then the ledger is checked. */
export async function crashRun(options: CrashRunOptions): Promise<CrashReport> {
  const cluster = await startCluster();
  try {
    const { gatewayUrls, adminToken } = cluster;
    const load = await LedgerLoad.start(gatewayUrls, adminToken, options.senders);
    await delay(options.secondsBetween * 1_000);
    for (const [round, fault] of options.faults.entries()) {
      const before = load.acknowledged;
      await fault.inflict(cluster);
      await delay(options.secondsBetween * 1_000);
      options.onRound(`${round + 1} ${fault.name}: ${load.acknowledged - before} acknowledged`);
    }
    const faults = await load.finish(120_000);
    return {
      rounds: options.faults.length,
      acknowledged: load.acknowledged,
      duplicates: load.duplicates,
      longestOutageSeconds: Math.round(load.longestOutage / 100) / 10,
      faults,
    };
  } finally {
    await cluster.stop();
  }
}
