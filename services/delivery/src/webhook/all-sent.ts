import { setTimeout as sleep } from 'node:timers/promises';
import type { Endpoint } from './endpoint.ts';

/** Leases that are given back wait for it, and the others must be renewed meanwhile. */
const patienceMilliseconds = 1_500;

/** Gives what is in flight a little time to end. */
export async function allSent(endpoints: Iterable<Pick<Endpoint, 'sent'>>): Promise<void> {
  const sent = [...endpoints].map((endpoint) => endpoint.sent());
  const patience = new AbortController();
  const isOver = sleep(patienceMilliseconds, undefined, { signal: patience.signal });
  await Promise.race([Promise.all(sent), isOver]);
  patience.abort();
}
