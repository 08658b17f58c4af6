import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineCpuMicroseconds } from './processes.ts';

const sampleMilliseconds = 500;
const quietShare = 0.15;

/** Waits, for a while at most, until the machine has little to do: strangers' work would be measured too. */
export async function untilQuiet(limitSeconds: number): Promise<void> {
  const end = performance.now() + limitSeconds * 1_000;
  while (performance.now() < end && (await busyShare()) > quietShare);
}

async function busyShare(): Promise<number> {
  const before = machineCpuMicroseconds();
  const since = performance.now();
  await sleep(sampleMilliseconds);
  const available = (performance.now() - since) * 1_000 * availableParallelism();
  return (machineCpuMicroseconds() - before) / available;
}
