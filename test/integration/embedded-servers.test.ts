import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLogger } from '@relay/runtime';
import {
  isRunning,
  lockDataDirectory,
  readProcessRecord,
  startEmbeddedNats,
  startEmbeddedRedis,
} from '@relay/standalone';
import { describe, expect, it, onTestFinished } from 'vitest';
import { greet } from '../support/greeting.ts';
import { killWhenThisProcessEnds } from '../support/reaper.ts';
import { readFirstLine, spawnSource } from '../support/spawn-source.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

const logger = createLogger({ logLevel: 'silent' }, 'test');

const embedded = [
  { server: 'nats', start: startEmbeddedNats, greeting: 'INFO' },
  { server: 'redis', start: startEmbeddedRedis, greeting: '+PONG' },
];

function readRecord(dataDir: string, server: string) {
  const record = readProcessRecord(join(dataDir, `${server}.pid`));
  if (!record) throw new Error(`${server} has no record`);
  return record;
}

async function killEmbeddingProcess(dataDir: string): Promise<void> {
  const parent = await startEmbeddingProcess(dataDir);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
}

async function startEmbeddingProcess(dataDir: string): Promise<ChildProcess> {
  const parent = spawnSource('test/support/embedding-process.ts', [dataDir]);
  onTestFinished(() => void parent.kill());
  await readFirstLine(parent);
  for (const { server } of embedded) {
    killWhenThisProcessEnds(readRecord(dataDir, server).pid, dataDir);
  }
  return parent;
}

describe.each(embedded)('an embedded $server server', ({ server, start, greeting }) => {
  it('is started again at the same address when it dies, and is gone when stopped', async () => {
    const dataDir = await createTemporaryDirectory();
    const { url, stop } = await start({ dataDir, logger });
    const first = readRecord(dataDir, server);
    process.kill(first.pid, 'SIGKILL');
    await expect.poll(() => readRecord(dataDir, server).pid).not.toBe(first.pid);
    await expect.poll(() => greet(url)).toContain(greeting);
    const second = readRecord(dataDir, server);
    await stop();
    expect(isRunning(second)).toBe(false);
  });

  it('that outlived a killed relay is stopped by the next one', async () => {
    const dataDir = await createTemporaryDirectory();
    await killEmbeddingProcess(dataDir);
    const orphan = readRecord(dataDir, server);
    expect(isRunning(orphan)).toBe(true);
    const { url, stop } = await start({ dataDir, logger });
    onTestFinished(stop);
    expect(isRunning(orphan)).toBe(false);
    expect(await greet(url)).toContain(greeting);
  });
});

describe('the data directory', () => {
  it('is refused to a second relay, until the first is killed', async () => {
    const dataDir = await createTemporaryDirectory();
    const first = await startEmbeddingProcess(dataDir);
    expect(() => lockDataDirectory(dataDir)).toThrow(`another relay (process ${first.pid}) uses`);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const unlock = lockDataDirectory(dataDir);
    unlock();
    expect((await readdir(dataDir)).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it('that cannot be made is told in one line', () => {
    expect(() => lockDataDirectory('/dev/null/relay')).toThrow(
      /^the data directory cannot be written: ENOTDIR.*$/,
    );
  });

  it('may have a long name, which Redis could not use for its socket', async () => {
    const dataDir = join(await createTemporaryDirectory(), 'long'.repeat(30));
    lockDataDirectory(dataDir)();
    const { url, stop } = await startEmbeddedRedis({ dataDir, logger });
    expect(url.length).toBeLessThan(100);
    expect(await greet(url)).toContain('+PONG');
    await stop();
    await expect(greet(url)).rejects.toThrow('ENOENT');
  });
});
