import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@relay/runtime';
import { isRunning, type ProcessRecord, readProcessRecord } from './process-record.ts';

const TERMINATE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 20;

/** A relay that was killed leaves its servers running on files that the next one needs. */
export async function stopOrphan(recordPath: string, logger: Logger): Promise<void> {
  const record = readProcessRecord(recordPath);
  if (record && isRunning(record)) {
    logger.warn({ pid: record.pid, commandLine: record.commandLine }, 'embedded.orphan_stopped');
    await terminate(record);
  }
  rmSync(recordPath, { force: true });
}

async function terminate(record: ProcessRecord): Promise<void> {
  process.kill(record.pid, 'SIGTERM');
  if (await endsWithin(record, TERMINATE_WITHIN_MS)) return;
  process.kill(record.pid, 'SIGKILL');
  await endsWithin(record, TERMINATE_WITHIN_MS);
}

async function endsWithin(record: ProcessRecord, limitMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (performance.now() < deadline) {
    if (!isRunning(record)) return true;
    await sleep(LOOK_EVERY_MS);
  }
  return false;
}
