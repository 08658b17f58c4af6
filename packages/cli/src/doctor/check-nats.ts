import { inspectNats, type NatsReport } from '@relay/bus';
import type { SecretKeys } from '@relay/runtime';
import { bytesText } from '../output/progress.ts';
import { checkSealed } from './check-sealed.ts';
import { bad, type Finding, ok } from './finding.ts';

/** Hosts' clocks must agree within it, for deadlines of commands are absolute. */
const tolerance = 2_000;
const leaseRenewal = 10_000;

interface Place {
  readonly servers: string;
  readonly replicas: number;
  /** What is there to open secrets with. */
  readonly keys: SecretKeys | undefined;
  /** Whether a relay answers that uses it. */
  readonly isInUse: boolean;
}

export async function checkNats({ servers, replicas, keys, isInUse }: Place): Promise<Finding[]> {
  let report: NatsReport;
  try {
    report = await inspectNats(servers, replicas);
  } catch (error) {
    const found = `it cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
    const advice = 'Start NATS, or correct RELAY_NATS_URL.';
    return [bad('nats', 'fault', { found, advice })];
  }
  const { version, roundTripMilliseconds, problems, messages } = report;
  const counts = Object.entries(messages).map(([name, count]) => `${name} ${count}`);
  return [
    ok('nats', `${version}, answers within ${roundTripMilliseconds} ms`),
    ...problems.map((found) =>
      bad('streams', 'fault', { found, advice: 'See "Running it" in the README.' }),
    ),
    ...(counts.length > 0 ? [ok('streams', counts.join(', '))] : []),
    ...checkMissing(report, isInUse),
    checkStorage(report),
    checkSealed(report.sealed, keys),
    ...(isInUse ? [checkClock(report)] : []),
  ];
}

/** They are made at the start; some of them alone are the rest of a restore that was cut off. */
function checkMissing({ missing, messages }: NatsReport, isInUse: boolean): Finding[] {
  if (missing.length === 0) return [];
  const found = `not there: ${missing.join(', ')}`;
  const isEmpty = Object.keys(messages).length === 0;
  if (isEmpty && !isInUse) return [ok('streams', 'none; they are made at the first start')];
  const advice = isInUse
    ? 'Was this NATS replaced while Relay ran? Stop Relay, restore a backup, start it.'
    : 'Was a restore cut off here? Empty this NATS and restore again, before Relay is started.';
  return [bad('streams', 'fault', { found, advice })];
}

function checkStorage({ storage: { used, limit } }: NatsReport): Finding {
  if (limit <= 0) return ok('storage', `${bytesText(used)} used`);
  const found = `${bytesText(used)} of ${bytesText(limit)} used`;
  const advice = 'Raise max_file_store of NATS: what it cannot store is refused.';
  if (used > 0.95 * limit) return bad('storage', 'fault', { found, advice });
  if (used > 0.8 * limit) return bad('storage', 'warning', { found, advice });
  return ok('storage', found);
}

/** While Relay runs a lease is renewed every 3 s, and NATS stamps it. */
function checkClock({ leaseRenewedAt }: NatsReport): Finding {
  const check = 'clock of nats';
  if (leaseRenewedAt === null) {
    const advice = 'Restart Relay; see its log.';
    return bad(check, 'fault', { found: 'Relay holds no lease', advice });
  }
  const age = Date.now() - leaseRenewedAt;
  if (age < -tolerance) {
    const advice = 'Set the clocks of both hosts by NTP.';
    return bad(check, 'fault', { found: `${-age} ms ahead of the one here`, advice });
  }
  if (age > leaseRenewal) {
    const found = `a lease was renewed ${age} ms ago by the clock here`;
    const advice =
      'Set the clocks by NTP; where they agree, see the log of Relay: it stands still.';
    return bad(check, 'fault', { found, advice });
  }
  return ok(check, 'agrees with the one here');
}
