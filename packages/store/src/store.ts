import { ShownGauge } from '@relay/runtime';
import { Redis } from 'ioredis';

const connections = new ShownGauge({
  name: 'relay_redis_connections_down',
  help: 'Connections to Redis that are not up.',
});

const retryDelay = 200;
const commandTimeout = 2_000;

/** The connection to Redis. Everything behind it can be rebuilt from the record. */
export interface Store {
  readonly redis: Redis;
  isConnected(): boolean;
  close(): void;
}

/**
 * Connects to Redis: a `redis://` URL or the path of a Unix socket. It returns at once; while Redis is
 * away commands fail instead of waiting, and the connection is tried again for ever.
 */
export function openStore(url: string, onError: (error: Error) => void): Store {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout,
    retryStrategy: () => retryDelay,
  });
  redis.on('error', onError);
  const isConnected = () => redis.status === 'ready';
  const hide = connections.show(() => [{ value: isConnected() ? 0 : 1 }]);
  return {
    redis,
    isConnected,
    close: () => {
      hide();
      redis.disconnect();
    },
  };
}
