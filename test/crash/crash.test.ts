import { expect, it, onTestFinished } from 'vitest';
import { startChaosCluster } from './chaos-cluster.ts';
import { crashRun } from './crash-run.ts';
import { killOf, killOfAll, pauseOf, redisFlush } from './faults.ts';
import { points } from './points.ts';
import { renderReport } from './report.ts';

const seconds = (count: number) => () => count;
/** Leases live for 10 seconds. */
const pastTheLease = seconds(11);
const short = seconds(2);

it('loses nothing that was acknowledged, whatever is killed or stalls at whichever moment', async () => {
  const rounds: string[] = [];
  const cluster = await startChaosCluster();
  onTestFinished(() => cluster.stop());
  const report = await crashRun(cluster, {
    lanes: [
      [...points, killOf('delivery'), killOf('task-manager'), killOfAll('delivery')],
      [
        pauseOf('delivery', pastTheLease),
        killOf('nats-server'),
        redisFlush,
        killOf('gateway'),
        pauseOf('task-manager', pastTheLease),
        killOf('redis-server'),
        pauseOf('nats-server', short),
        pauseOf('gateway', short),
        pauseOf('redis-server', short),
      ],
    ],
    senders: 2,
    secondsBetween: 1,
    catchesUp: false,
    onRound: (line) => rounds.push(line),
  });
  console.log(renderReport(report));
  expect(report.lost, rounds.join('\n')).toEqual([]);
  expect(rounds).toHaveLength(21);
  expect(report.acknowledged).toBeGreaterThan(rounds.length * 10);
});
