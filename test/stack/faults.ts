import { setTimeout as delay } from 'node:timers/promises';
import { LedgerLoad } from '../support/ledger/load.ts';
import type { Stack } from './stack.ts';

const catchUpTimeout = 60_000;
const finishTimeout = 180_000;
/** Seconds of load before each. */
const between = 3_000;

export interface FaultReport {
  readonly acknowledged: number;
  /** What is not as it was acknowledged. */
  readonly lost: readonly string[];
}

/** Kills each service, NATS among them, and empties Redis, one after the other under load; then checks the ledger. */
export async function strike(
  stack: Stack,
  url: string,
  services: readonly string[],
  tell: (line: string) => void,
): Promise<FaultReport> {
  const adminToken = await stack.adminToken();
  const kinds = ['socket', 'socket'] as const;
  const options = { urls: [url], adminToken, senders: 2, kinds };
  const load = await LedgerLoad.start(options);
  const inflict = async (name: string, fault: () => Promise<void>) => {
    await delay(between);
    const since = performance.now();
    await fault();
    await load.untilCaughtUp(catchUpTimeout);
    const seconds = ((performance.now() - since) / 1_000).toFixed(1);
    tell(`${name}: all had come after ${seconds} s`);
  };
  for (const service of services) {
    await inflict(`SIGKILL ${service}`, () => stack.kill(service));
  }
  await inflict('FLUSHALL', () => stack.flushRedis());
  const lost = await load.finish(finishTimeout);
  return { acknowledged: load.acknowledged, lost };
}
