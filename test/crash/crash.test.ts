import { expect, it } from 'vitest';
import { crashRun } from './crash-run.ts';
import { kills, pauses, redisFlush } from './faults.ts';

it('loses nothing that was acknowledged, whichever process is killed or stalls', async () => {
  const rounds: string[] = [];
  const stall = pauses(() => 11).filter(({ name }) => /delivery|task-manager/.test(name));
  const report = await crashRun({
    faults: [...kills, redisFlush, ...stall],
    senders: 4,
    secondsBetween: 1,
    onRound: (line) => rounds.push(line),
  });
  expect(report.faults, rounds.join('\n')).toEqual([]);
  expect(report.acknowledged).toBeGreaterThan(report.rounds * 10);
});
