import { setTimeout as delay } from 'node:timers/promises';
import type { Disturbance } from '../support/ledger/check/check-ledger.ts';
import { LedgerLoad, type LoadedRelay } from '../support/ledger/load.ts';
import type { Fault } from './faults.ts';
import { type CrashReport, type Round, reportOf } from './report.ts';

/** Until leases have run out and others have taken over, when more faults follow at once. */
const takeover = 45_000;
/** The same when all that is acknowledged has come: some of it may come again. */
const settling = 10_000;
const catchUpTimeout = 60_000;
const finishTimeout = 180_000;

export interface CrashRunOptions<Relay> {
  /** Each is struck one after the other, all side by side. */
  readonly lanes: readonly (readonly Fault<Relay>[])[];
  readonly senders: number;
  /** Whether processes are stopped and not killed. */
  readonly stopsInOrder?: boolean;
  readonly secondsBetween: number;
  /** Whether a lane goes on only when all that was acknowledged has come to those who take it at once. */
  readonly catchesUp: boolean;
  readonly onRound: (line: string) => void;
}

/** A relay under load while one thing after the other happens to it; then the ledger is checked. */
export async function crashRun<Relay extends LoadedRelay>(
  relay: Relay,
  options: CrashRunOptions<Relay>,
): Promise<CrashReport> {
  const { senders, stopsInOrder = false } = options;
  const kinds = ['socket', 'webhook', 'socket', 'webhook'] as const;
  const load = await LedgerLoad.start({ relay, senders, kinds, stopsInOrder });
  await delay(options.secondsBetween * 1_000);
  // Replicas that have just started share out the partitions, and repeat what is not saved yet.
  const start = { from: 0, to: performance.now() + settling };
  const lanes = options.lanes.map((faults) => runLane(faults, options, relay, load));
  const rounds = (await Promise.all(lanes)).flat();
  const aftermath = options.catchesUp ? settling : takeover;
  const disturbances = [start, ...rounds.flatMap((round) => disturbanceOf(round, aftermath))];
  const lost = await load.finish(finishTimeout, disturbances);
  return reportOf(rounds, load, lost);
}

async function runLane<Relay>(
  faults: readonly Fault<Relay>[],
  { secondsBetween, catchesUp, onRound }: CrashRunOptions<Relay>,
  relay: Relay,
  load: LedgerLoad,
): Promise<Round[]> {
  const rounds: Round[] = [];
  for (const fault of faults) {
    const from = performance.now();
    const isHit = await fault.inflict(relay, load);
    const to = performance.now();
    await delay(secondsBetween * 1_000);
    if (catchesUp) await load.untilCaughtUp(catchUpTimeout);
    const round = { fault, isHit, from, until: performance.now() };
    rounds.push(round);
    const times = `${(from / 1_000).toFixed(1)}..${(to / 1_000).toFixed(1)} s`;
    const hit = isHit ? '' : ' (the moment did not come)';
    onRound(`${times}, ${((round.until - to) / 1_000).toFixed(1)} s on: ${fault.name}${hit}`);
  }
  return rounds;
}

function disturbanceOf({ fault, from, until }: Round, aftermath: number): Disturbance[] {
  return fault.disturbsDelivery ? [{ from, to: until + aftermath }] : [];
}
