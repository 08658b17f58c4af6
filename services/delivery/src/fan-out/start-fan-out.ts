import { type Bus, partitions } from '@relay/bus';
import type { Logger } from '@relay/runtime';
import { SharedPause } from '../pause.ts';
import { FanOut } from './fan-out.ts';

export interface FanOutOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly replicaId: string;
}

export interface StartedFanOut {
  /** Whether all that this replica owns is being read. */
  isReady(): boolean;
  /** Gives back its leases. The bus may be closed after it. */
  close(): Promise<void>;
}

/** Turns changes of tasks and chats into events in agents' inboxes, in this replica's share of the partitions. */
export async function startFanOut({
  bus,
  logger,
  replicaId,
}: FanOutOptions): Promise<StartedFanOut> {
  const fanOut = new FanOut({ bus, logger, pause: new SharedPause() });
  const names = partitions.map(String);
  const leases = bus.holdLeases({ group: 'fan-out', replicaId, names, handlers: fanOut });
  await leases.start();
  return {
    isReady: () => fanOut.isReady(),
    close: async () => {
      await leases.stop();
      fanOut.close();
    },
  };
}
