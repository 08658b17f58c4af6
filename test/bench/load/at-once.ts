import { Pool } from 'undici';

/** Runs for each number up to the count, in order, so many at a time. */
export async function atOnce(
  origin: string,
  connections: number,
  count: number,
  run: (pool: Pool, number: number) => Promise<void>,
): Promise<void> {
  const pool = new Pool(origin, { connections });
  let next = 0;
  const some = async () => {
    for (let number = next++; number < count; number = next++) await run(pool, number);
  };
  await Promise.all(Array.from({ length: connections }, some));
  await pool.close();
}
