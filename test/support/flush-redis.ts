import { Redis } from 'ioredis';

/** What a Redis that lost everything looks like. @param url or the path of its socket */
export async function flushRedis(url: string): Promise<void> {
  const redis = new Redis(url);
  await redis.flushall();
  redis.disconnect();
}
