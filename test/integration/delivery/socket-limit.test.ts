import { expect, it } from 'vitest';
import { useDelivery } from '../../support/delivery-fixture.ts';
import { refusedUpgrade } from '../../support/refused-upgrade.ts';

const limit = 3;
const relay = useDelivery('file', { socketLimit: limit });

it('takes as many WebSockets as it may, tells others to try later, and takes one for each that ends', async () => {
  const opened = await Promise.allSettled(Array.from({ length: 3 * limit }, () => relay.open()));
  const sockets = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(sockets).toHaveLength(limit);
  expect(await refusedUpgrade(relay.delivery.url, relay.planner.token)).toMatchObject({
    status: 503,
    headers: { 'retry-after': '30' },
    body: { error: { code: 3006 } },
  });
  await sockets[0]?.close();
  const again = () => relay.open({ agent: relay.planner }).catch(() => undefined);
  await expect.poll(again).toBeDefined();
});
