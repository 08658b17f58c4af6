import { expect, it } from 'vitest';
import { atOnce, message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

const rpc = (params: unknown) =>
  relay.client.rpc({ from: relay.planner, to: relay.worker, method: 'SendMessage', params });

it('a drain answers waiting calls with the task as it stands, ends streams and takes nothing new', async () => {
  const { client, gateway, planner, worker } = relay;
  const sent = message();
  const waiting = rpc({ message: sent });
  const { task } = (await rpc({ message: sent, configuration: atOnce })).body.result;
  const events = await client.stream({
    from: planner,
    to: worker,
    method: 'SubscribeToTask',
    params: { id: task.id },
  });
  await events.next();
  expect(gateway.isReady()).toBe(true);

  const drained = gateway.drain();
  expect(gateway.isReady()).toBe(false);
  expect((await waiting).body.result.task).toEqual(task);
  expect(await events.rest()).toEqual([]);
  await drained;
  const ready = await client.send('GET', '/readyz');
  expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close']);
  expect((await client.send('GET', '/healthz')).status).toBe(200);
  const refused = await rpc({ message: message(), configuration: atOnce });
  expect([refused.status, refused.body.error.code]).toEqual([503, -32603]);
  expect(refused.headers.get('retry-after')).toBe('1');
});
