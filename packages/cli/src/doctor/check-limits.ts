import { readFile } from 'node:fs/promises';
import { bad, type Finding, ok, skipped } from './finding.ts';

/** Each socket and each waiting call is a file to the system. */
const enoughFiles = 65_536;
const oldestNode = [20, 19];

/** What the system lets a relay do that is started from here. */
export async function checkLimits(): Promise<Finding[]> {
  return [checkNode(), await checkFiles()];
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode;
  const isNewEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  if (isNewEnough) return ok('node', process.versions.node);
  const advice = `Use Node ${oldestNode.join('.')} or newer.`;
  return bad('node', 'fault', { found: process.versions.node, advice });
}

async function checkFiles(): Promise<Finding> {
  const check = 'open files';
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const limit = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.NaN);
  if (Number.isNaN(limit)) return skipped(check, 'this system does not say');
  if (limit >= enoughFiles) return ok(check, `${limit} at most`);
  return bad(check, 'warning', {
    found: `${limit} at most`,
    advice: `Enough for about ${limit - 100} connections; for more: ulimit -n ${enoughFiles}.`,
  });
}
