import { parseArgs } from 'node:util';
import { allFaults } from './all-faults.ts';
import { startChaosCluster } from './chaos-cluster.ts';
import { crashRun } from './crash-run.ts';
import { renderReport } from './report.ts';

/** The long form: every fault several times in any order, stalls of 10 to 60 seconds. */
const { values } = parseArgs({
  options: { times: { type: 'string', default: '5' }, senders: { type: 'string', default: '4' } },
});

const faults = Array.from({ length: Number(values.times) }, () =>
  allFaults(() => 10 + Math.random() * 50),
).flat();
const shuffled = faults
  .map((fault) => ({ fault, place: Math.random() }))
  .toSorted((one, other) => one.place - other.place)
  .map(({ fault }) => fault);

let round = 0;
const cluster = await startChaosCluster();
try {
  const report = await crashRun(cluster, {
    lanes: [shuffled],
    senders: Number(values.senders),
    secondsBetween: 3,
    catchesUp: true,
    onRound: (line) => {
      round += 1;
      console.log(`${round} ${line}`);
    },
  });
  console.log(renderReport(report));
  for (const fault of report.lost) console.log(`  ${fault}`);
  process.exitCode = report.lost.length > 0 ? 1 : 0;
} finally {
  await cluster.stop();
}
