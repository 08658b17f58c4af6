import type { Redis } from 'ioredis';

/** How far an index has come in its record. */
export interface IndexProgress {
  /** Last sequence that is in the index; 0 where there is none, -1 while it is being cleared. */
  readonly sequence: number;
  /** The change there, where it is known: another one there means that the store was rolled back. */
  readonly changeId: string | null;
}

const keysAtOnce = 1_000;

export async function readProgress(redis: Redis, prefix: string): Promise<IndexProgress> {
  const [sequence, changeId] = await redis.mget(`${prefix}progress`, `${prefix}change`);
  return { sequence: Number(sequence ?? 0), changeId: changeId || null };
}

/**
 * Empties an index. Until that is done it counts as behind everything, so that lists wait and nothing is
 * written to it, and whoever finds it so after a crash clears it again.
 */
export async function clearIndex(redis: Redis, prefix: string): Promise<void> {
  const progressKey = `${prefix}progress`;
  await redis.set(progressKey, -1);
  let cursor = '0';
  do {
    const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', keysAtOnce);
    const entries = keys.filter((key) => key !== progressKey);
    if (entries.length > 0) await redis.unlink(...entries);
    cursor = next;
  } while (cursor !== '0');
  await redis.del(progressKey);
}
