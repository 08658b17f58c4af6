import { Pool } from 'undici';
import type { ClosedLoop, LoadResult } from './orders.ts';
import { sendNext } from './send.ts';
import { Tally } from './tally.ts';

/** Sends until the time is up, then waits for the answers still out: nothing is left unknown. */
export async function runClosedLoop(order: ClosedLoop): Promise<LoadResult> {
  const pool = new Pool(order.target.origin, { connections: order.connections });
  const tally = new Tally(order.seconds);
  const connection = () => sendUntilTimeIsUp(pool, order, tally);
  await Promise.all(Array.from({ length: order.connections }, connection));
  await pool.close();
  return tally.result();
}

async function sendUntilTimeIsUp(pool: Pool, order: ClosedLoop, tally: Tally): Promise<void> {
  while (!tally.isTimeUp) {
    const sentAt = performance.now();
    const { number, refusal } = sendNext(pool, order.target, order.kind);
    const reason = await refusal;
    if (reason === undefined) tally.countAnswer(number, performance.now() - sentAt);
    else tally.countRefusal(number, reason);
  }
}
