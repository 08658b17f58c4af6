import { setTimeout as delay } from 'node:timers/promises';
import { AgentClient } from '../support/ledger/agent-client.ts';
import { EventReceiver } from '../support/ledger/event-receiver.ts';
import { OrdinaryLoad } from '../support/ordinary-load.ts';
import type { Stack } from './stack.ts';

/** Until what comes after a restart is expected. */
const recoveryTimeout = 60_000;
/** Tasks that are done between two restarts: it works again. */
const between = 5;

export interface RestartReport {
  readonly lines: readonly string[];
  /** What failed, was lost or came twice. */
  readonly faults: readonly string[];
}

/** Restarts service after service under a load of ordinary clients, which try a request once again. */
export async function restartInTurn(
  stack: Stack,
  url: string,
  services: readonly string[],
): Promise<RestartReport> {
  const adminToken = await stack.adminToken();
  const from = await AgentClient.register([url], adminToken, false);
  const to = await AgentClient.register([url], adminToken, true);
  const receiver = new EventReceiver({ token: from.token, nextUrl: () => url }, () => undefined);
  const load = await OrdinaryLoad.start({ url, from, to });
  const lines: string[] = [];
  const faults: string[] = [];
  for (const service of services) {
    const before = load.completed.length;
    const since = performance.now();
    await stack.compose('restart', service);
    const seconds = ((performance.now() - since) / 1_000).toFixed(1);
    const during = load.completed.length - before;
    const works = await until(() => load.completed.length >= before + during + between);
    if (!works) faults.push(`nothing was done after the restart of ${service}`);
    lines.push(`${service}: restarted in ${seconds} s, ${during} tasks done meanwhile`);
  }
  await load.stop().catch((error: unknown) => faults.push(`a request failed: ${String(error)}`));
  await until(() => receiver.received.length >= 2 * load.completed.length);
  receiver.close();
  return { lines, faults: [...faults, ...receiver.faults, ...findFaults(load, receiver)] };
}

function findFaults(load: OrdinaryLoad, { received }: EventReceiver): string[] {
  const faults: string[] = [];
  const { completed, handled } = load;
  const due = 2 * completed.length;
  if (handled.toSorted().join() !== completed.toSorted().join()) {
    faults.push(`${handled.length} tasks were handled, ${completed.length} completed`);
  }
  if (received.length !== due) faults.push(`${received.length} events came, ${due} were due`);
  const different = new Set(received.map(({ eventId }) => eventId)).size;
  if (different !== received.length) faults.push(`${received.length - different} came twice`);
  return faults;
}

async function until(isSo: () => boolean): Promise<boolean> {
  const end = performance.now() + recoveryTimeout;
  while (!isSo() && performance.now() < end) await delay(50);
  return isSo();
}
