import { parseArgs } from 'node:util';
import { crashRun } from './crash-run.ts';
import { kills, pauses, redisFlush } from './faults.ts';

/** The long form: every fault several times, stalls of 10 to 60 seconds. */
const { values } = parseArgs({
  options: { times: { type: 'string', default: '3' }, senders: { type: 'string', default: '8' } },
});

const between = (low: number, high: number) => () => low + Math.random() * (high - low);
const once = [...kills, redisFlush, ...pauses(between(10, 60))];
const faults = Array.from({ length: Number(values.times) }, () => once).flat();

const report = await crashRun({
  faults,
  senders: Number(values.senders),
  secondsBetween: 3,
  onRound: (line) => console.log(line),
});
console.log(
  `rounds ${report.rounds}, acknowledged ${report.acknowledged}, lost ${report.faults.length}, ` +
    `duplicates ${report.duplicates}, longest outage ${report.longestOutageSeconds} s`,
);
for (const fault of report.faults) console.log(`  ${fault}`);
process.exitCode = report.faults.length > 0 ? 1 : 0;
