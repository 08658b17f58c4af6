import { Session } from 'node:inspector/promises';

/** Bytes in use by this process when all garbage is collected. */
export async function usedBytes(): Promise<number> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
