import { RelayRequestError } from '@relay/sdk';
import { z } from 'zod';
import type { GlobalOptions } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { stuckPages } from '../commands/stuck.ts';
import { RelayApi } from '../relay/relay-api.ts';
import { managerTarget, originOf } from '../relay/target.ts';
import type { Terminal } from '../terminal.ts';
import { bad, type Finding, ok, skipped } from './finding.ts';

const tolerance = 2_000;
const answerWithin = 5_000;

export interface RelayCheck {
  readonly isRunning: boolean;
  readonly findings: readonly Finding[];
}

/** Whether a relay answers where it should, and what it says of itself. */
export async function checkRelay(terminal: Terminal, options: GlobalOptions): Promise<RelayCheck> {
  const origin = originOf(terminal, options);
  const api = new RelayApi({ origin, token: '' });
  const ready = await api.probe('/readyz', answerWithin);
  if (ready === undefined) {
    const found = `nothing answers at ${origin}`;
    const advice = 'Start it by `relay up`, or say where it is by --url.';
    return { isRunning: false, findings: [bad('relay', 'warning', { found, advice })] };
  }
  const clock = checkClock(ready.clockAheadMilliseconds);
  const findings = [checkReadiness(origin, ready.status, ready.text), clock];
  return {
    isRunning: true,
    findings: [...findings, ...(await askAsAdministrator(terminal, options))],
  };
}

const readySchema = z.looseObject({ status: z.string() });

function checkReadiness(origin: string, status: number, text: string): Finding {
  const { data } = readySchema.safeParse(jsonIn(text));
  if (status === 200 && data?.status === 'ready') return ok('relay', `ready at ${origin}`);
  if (status === 200 && data?.status === 'degraded') {
    const found = `${origin} cannot reach Redis: it has no lists`;
    return bad('relay', 'warning', { found, advice: 'Start Redis; all in it is made anew.' });
  }
  const found = `${origin} is not ready (${data?.status ?? `HTTP ${status}`})`;
  return bad('relay', 'fault', { found, advice: 'See its log, and what is said of NATS here.' });
}

function checkClock(ahead: number | undefined): Finding {
  const check = 'clock of relay';
  if (ahead === undefined) return skipped(check, 'it does not tell the time');
  // A date in a header has whole seconds.
  if (Math.abs(ahead) <= tolerance + 1_000) return ok(check, 'agrees with the one here');
  return bad(check, 'fault', {
    found: `${Math.round(ahead)} ms ahead of the one here`,
    advice: 'Set the clocks of both hosts by NTP: commands have deadlines.',
  });
}

async function askAsAdministrator(terminal: Terminal, options: GlobalOptions): Promise<Finding[]> {
  try {
    const api = new RelayApi(managerTarget(terminal, options));
    const stuck = await api.list('/v1/stuck-messages', stuckPages);
    const token = ok('token', 'is the one of the administrator');
    if (stuck.length === 0) return [token, ok('stuck changes', 'none')];
    const advice = 'See `relay stuck list`; after an update try `relay stuck redrive --all`.';
    return [token, bad('stuck changes', 'warning', { found: String(stuck.length), advice })];
  } catch (error) {
    if (!(error instanceof RelayRequestError) && !(error instanceof CommandError)) throw error;
    const advice = 'Give the administrator’s token by --token or RELAY_ADMIN_TOKEN.';
    return [bad('token', 'warning', { found: error.message, advice })];
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
