import type { Bus } from '@relay/bus';
import type { Config, Logger } from '@relay/runtime';
import type { ChatIndex, DirectoryIndex, TaskIndex } from '@relay/store';
import { type Owner, startOwners } from './owners.ts';
import { chatProjection, directoryProjection, taskProjection } from './projections.ts';
import { Projector } from './projector.ts';
import { Sweeper } from './sweeper.ts';

export interface ProjectionsOptions {
  readonly bus: Bus;
  readonly index: TaskIndex;
  readonly chatIndex: ChatIndex;
  readonly directoryIndex: DirectoryIndex;
  readonly config: Pick<Config, 'retentionDays'>;
  readonly logger: Logger;
  readonly replicaId: string;
}

/** The indexes of lists and the sweep of old tasks: whatever reads the record in order and answers nobody. */
export function startProjections(options: ProjectionsOptions): Promise<Owner> {
  const { bus, index, chatIndex, directoryIndex, config, logger, replicaId } = options;
  const { retentionDays } = config;
  return startOwners({
    bus,
    group: 'projections',
    replicaId,
    owners: {
      tasks: (lease) =>
        new Projector({ bus, projection: taskProjection(bus, index), logger }, lease),
      chats: (lease) =>
        new Projector({ bus, projection: chatProjection(bus, chatIndex), logger }, lease),
      directory: (lease) =>
        new Projector({ bus, projection: directoryProjection(bus, directoryIndex), logger }, lease),
      sweeper: (lease) => new Sweeper({ bus, index, retentionDays, logger }, lease),
    },
  });
}
