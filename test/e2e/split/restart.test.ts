import { describe, expect, it, onTestFinished } from 'vitest';
import { Balancer } from '../../support/balancer.ts';
import { openSocket, useCluster } from '../../support/cluster-fixture.ts';
import { FollowUpChains } from '../../support/follow-up-chains.ts';
import { LedgerLoad } from '../../support/ledger/load.ts';
import { OrdinaryLoad } from '../../support/ordinary-load.ts';

const relay = useCluster();

it('each service is replaced in turn, and clients that try once again notice nothing', async () => {
  const { gatewayUrls, services, adminToken } = relay.cluster;
  const balancer = await Balancer.start(gatewayUrls);
  onTestFinished(() => balancer.close());
  const load = await OrdinaryLoad.start({
    url: balancer.url,
    from: relay.planner,
    to: relay.worker,
  });
  const ledger = await LedgerLoad.start([balancer.url], adminToken, 1);
  for (const name of ['task-manager', 'delivery', 'gateway'] as const) {
    for (const service of services[name]) {
      await service.replace();
      const due = load.completed.length + 3;
      await expect.poll(() => load.completed.length, { timeout: 10_000 }).toBeGreaterThan(due);
    }
  }
  await load.stop();
  expect(await ledger.finish(20_000)).toEqual([]);
  expect(ledger.duplicates).toBe(0);
  expect(load.handled.toSorted()).toEqual(load.completed.toSorted());
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
