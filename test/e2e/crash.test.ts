import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flushRedis } from '../support/flush-redis.ts';
import { LedgerLoad } from '../support/ledger/load.ts';
import { TestRelay } from '../support/relay.ts';

let relay: TestRelay;
let load: LedgerLoad;

beforeEach(async () => {
  relay = await TestRelay.start();
  const { admin_token } = await relay.credentials();
  load = await LedgerLoad.start({
    relay: { gatewayUrls: [relay.url], adminToken: admin_token, receiverHost: '127.0.0.1' },
    senders: 4,
    kinds: ['socket'],
  });
  await more(50);
});
afterEach(() => relay?.stop());

/** Until so many more tasks are acknowledged. */
async function more(count: number): Promise<void> {
  const due = load.acknowledged + count;
  await expect.poll(() => load.acknowledged, { timeout: 30_000 }).toBeGreaterThanOrEqual(due);
}

const pidOf = async (name: string) =>
  z.object({ pid: z.int() }).parse(JSON.parse(await readFile(join(relay.dataDir, name), 'utf8')))
    .pid;

describe('in the middle of work', () => {
  it('SIGKILL of the whole relay loses nothing that was acknowledged', async () => {
    for (let round = 0; round < 3; round += 1) {
      await relay.kill();
      await relay.restart();
      await more(50);
    }
    expect(await load.finish(60_000)).toEqual([]);
  });

  it('SIGKILL of NATS loses nothing that was acknowledged', async () => {
    for (let round = 0; round < 3; round += 1) {
      process.kill(await pidOf('nats.pid'), 'SIGKILL');
      await more(50);
    }
    expect(await load.finish(60_000)).toEqual([]);
  });

  it('SIGKILL and a flush of Redis lose nothing at all', async () => {
    process.kill(await pidOf('redis.pid'), 'SIGKILL');
    await more(50);
    await flushRedis(join(relay.dataDir, 'redis.sock'));
    await more(50);
    expect(await load.finish(60_000)).toEqual([]);
  });
});
