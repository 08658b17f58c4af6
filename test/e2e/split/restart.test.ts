import { describe, expect, it, onTestFinished } from 'vitest';
import { Balancer } from '../../support/balancer.ts';
import { openSocket, useCluster } from '../../support/cluster-fixture.ts';
import { FollowUpChains } from '../../support/follow-up-chains.ts';
import { EventReceiver } from '../../support/ledger/event-receiver.ts';
import { OrdinaryLoad } from '../../support/ordinary-load.ts';

const relay = useCluster();

/** Of a task that a message began, the states that its requester was told of, in order. */
function statesTold(events: readonly string[], messageId: string): string[] {
  return events
    .filter((text) => text.includes(`"messageId":"${messageId}"`))
    .map((text) => /"status":\{"state":"(\w+)"/.exec(text)?.[1] ?? '');
}

it('each service is replaced in turn, and clients that try once again lose nothing', {
  timeout: 120_000,
}, async () => {
  const { gatewayUrls, services } = relay.cluster;
  const balancer = await Balancer.start(gatewayUrls);
  onTestFinished(() => balancer.close());
  const { url } = balancer;
  const events: string[] = [];
  const receiver = new EventReceiver(
    { token: relay.planner.token, nextUrl: () => url },
    (_event, text) => events.push(text),
  );
  onTestFinished(() => receiver.close());
  const load = await OrdinaryLoad.start({ url, from: relay.planner, to: relay.worker });
  for (const name of ['task-manager', 'delivery', 'gateway'] as const) {
    for (const service of services[name]) {
      await service.replace();
      const due = load.completed.length + 3;
      await expect.poll(() => load.completed.length).toBeGreaterThan(due);
    }
  }
  await load.stop();
  expect(load.handled.toSorted()).toEqual(load.completed.toSorted());
  const all = 2 * load.completed.length;
  await expect.poll(() => receiver.received.length).toBe(all);
  expect(receiver.faults).toEqual([]);
  expect(new Set(receiver.received.map(({ eventId }) => eventId)).size).toBe(all);
  for (const messageId of load.completed) {
    expect(statesTold(events, messageId)).toEqual(['TASK_STATE_WORKING', 'TASK_STATE_COMPLETED']);
  }
});

describe.each(['gateway', 'delivery'] as const)(
  'a socket through a %s that is replaced',
  (name) => {
    it('is told to connect again, and brings nothing again that was acknowledged', async () => {
      const [first, second] = relay.clients;
      const worker = await first.createAgent();
      const chains = new FollowUpChains(second, relay.planner, worker, 2);
      onTestFinished(() => chains.stop());
      for (let round = 0; round < 2; round += 1) {
        const socket = await openSocket(first, worker, { acknowledges: true });
        await socket.untilEvents(20);
        const replaced = relay.cluster.services[name][0].replace();
        expect([await socket.closed, socket.disconnectReason]).toEqual([1012, 'restart']);
        const again = await openSocket(second, worker, { acknowledges: true });
        expect(again.ready.acked_through).toBe(String(socket.lastSequence));
        await replaced;
        await again.close();
      }
    });
  },
);
