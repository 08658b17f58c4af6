import { type Bus, partitions, Registry } from '@relay/bus';
import type { Config, Logger } from '@relay/runtime';
import { SharedPause } from '../pause.ts';
import { createPushWriter } from '../push/push-writer.ts';
import { FanOut } from './fan-out.ts';

export interface FanOutOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly replicaId: string;
  readonly config: Pick<Config, 'a2aPush'>;
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
  config,
}: FanOutOptions): Promise<StartedFanOut> {
  const common = { bus, logger, pause: new SharedPause() };
  const pushes = config.a2aPush ? createPushWriter(common, new Registry(bus)) : undefined;
  const fanOut = new FanOut({ ...common, pushes });
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
