import { type Config, type MainContext, StartupError } from '@relay/runtime';
import { type Bus, connectBus } from './bus.ts';
import { Registry } from './registry.ts';

export interface StartedBus {
  readonly bus: Bus;
  readonly registry: Registry;
}

interface BusContext extends Pick<MainContext, 'lifecycle'> {
  readonly config: Pick<Config, 'natsReplicas'>;
}

/**
 * Connects a service to NATS for its life.
 * @throws StartupError where NATS cannot be reached or is not as Relay needs it
 */
export async function startBus(
  { config, lifecycle }: BusContext,
  { natsUrl, name }: { readonly natsUrl: string; readonly name: string },
): Promise<StartedBus> {
  const bus = await lifecycle.start(
    'bus',
    () =>
      connectBus({ servers: natsUrl, name, replicas: config.natsReplicas }).catch(
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          throw new StartupError(`NATS cannot be used: ${reason}`);
        },
      ),
    (connected) => connected.close(),
  );
  const registry = new Registry(bus);
  await lifecycle.start(
    'registry',
    () => registry.start(),
    () => registry.stop(),
  );
  return { bus, registry };
}
