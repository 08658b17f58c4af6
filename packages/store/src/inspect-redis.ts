import { Redis } from 'ioredis';

const connectTimeout = 3_000;

/** What a look at Redis finds. */
export interface RedisReport {
  readonly version: string;
  readonly usedBytes: number;
  /** 0 where nothing limits it. */
  readonly maximumBytes: number;
  /** What happens at the limit; empty where the server does not say. */
  readonly evictionPolicy: string;
  /** How far its clock is ahead of the one here, in milliseconds. */
  readonly clockAheadMilliseconds: number;
}

/** @throws Error where Redis cannot be reached */
export async function inspectRedis(url: string): Promise<RedisReport> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout,
    commandTimeout: connectTimeout,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Told by what connect throws.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    const askedAt = Date.now();
    const [seconds, microseconds] = await redis.time();
    const middle = (askedAt + Date.now()) / 2;
    const [server, memory] = [await redis.info('server'), await redis.info('memory')];
    return {
      version: fieldOf(server, 'redis_version'),
      usedBytes: Number(fieldOf(memory, 'used_memory')),
      maximumBytes: Number(fieldOf(memory, 'maxmemory')),
      evictionPolicy: fieldOf(memory, 'maxmemory_policy'),
      clockAheadMilliseconds: Number(seconds) * 1_000 + Number(microseconds) / 1_000 - middle,
    };
  } finally {
    redis.disconnect();
  }
}

function fieldOf(info: string, name: string): string {
  return new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
}
