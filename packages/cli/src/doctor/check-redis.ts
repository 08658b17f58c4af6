import { inspectRedis, type RedisReport } from '@relay/store';
import { bytesText } from '../output/progress.ts';
import { bad, type Finding, ok } from './finding.ts';

const tolerance = 2_000;

export async function checkRedis(url: string): Promise<Finding[]> {
  let report: RedisReport;
  try {
    report = await inspectRedis(url);
  } catch (error) {
    const found = `it cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
    const advice = 'Start Redis, or correct RELAY_REDIS_URL. Until then there are no lists.';
    return [bad('redis', 'fault', { found, advice })];
  }
  const { version, usedBytes, clockAheadMilliseconds } = report;
  const ahead = Math.round(clockAheadMilliseconds);
  return [
    ok('redis', `${version}, ${bytesText(usedBytes)} used`),
    ...checkEviction(report),
    Math.abs(ahead) > tolerance
      ? bad('clock of redis', 'fault', {
          found: `${ahead} ms ahead of the one here`,
          advice: 'Set the clocks of both hosts by NTP.',
        })
      : ok('clock of redis', 'agrees with the one here'),
  ];
}

/** Lists are made of entries that nobody misses when one is dropped. */
function checkEviction({ maximumBytes, evictionPolicy, usedBytes }: RedisReport): Finding[] {
  if (maximumBytes === 0) return [];
  if (evictionPolicy !== '' && evictionPolicy !== 'noeviction') {
    const found = `it may drop entries (${evictionPolicy}), and lists would not show it`;
    const advice = 'Set maxmemory-policy to noeviction, then flush Redis: lists are made anew.';
    return [bad('redis', 'fault', { found, advice })];
  }
  if (usedBytes < 0.8 * maximumBytes) return [];
  const found = `${bytesText(usedBytes)} of ${bytesText(maximumBytes)} used`;
  return [bad('redis', 'warning', { found, advice: 'Raise maxmemory.' })];
}
