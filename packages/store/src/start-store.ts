import type { MainContext } from '@relay/runtime';
import { openStore, type Store } from './store.ts';

/** Connects a service to Redis for its life. It starts without Redis too: everything there can be rebuilt. */
export function startStore(
  { logger, lifecycle }: Pick<MainContext, 'lifecycle' | 'logger'>,
  redisUrl: string,
): Promise<Store> {
  return lifecycle.start(
    'store',
    () => openStore(redisUrl, (error) => logger.debug({ err: error }, 'store.failed')),
    (store) => store.close(),
  );
}
