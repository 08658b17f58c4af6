import { randomUUID } from 'node:crypto';
import { type DeliveryKey, type DeliveryRecord, readDelivery, readDeliveryKey } from '@relay/bus';
import { agentIdSchema, subscriptionIdSchema } from '@relay/protocol';
import { expect, it } from 'vitest';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

const key = (sequence: number): DeliveryKey => ({
  agentId: agentIdSchema.parse(randomUUID()),
  subscriptionId: subscriptionIdSchema.parse(randomUUID()),
  sequence,
  index: 0,
});

const record: DeliveryRecord = {
  status: 'pending',
  eventId: randomUUID(),
  type: 'task.created',
  lane: randomUUID(),
  revision: 1,
  attemptCount: 0,
  roundAttempts: 0,
  nextAttemptAt: 0,
  firstAttemptAt: null,
  lastAttemptAt: null,
  deadLetteredAt: null,
  createdAt: 0,
  hasBody: false,
};

it('a delivery is replaced by whoever knows its last state, and by nobody after its removal', async () => {
  const { deliveries } = await busForTest(await natsForTest());
  const delivery = { key: key(7), record, attempts: [], body: Buffer.of() };
  const first = await deliveries.write(delivery, 0);
  if (first.type !== 'appended') throw new Error(first.type);
  expect((await deliveries.write(delivery, 0)).type).toBe('conflict');
  const dead = { ...delivery, record: { ...record, status: 'dead_letter' as const } };
  const second = await deliveries.write(dead, first.sequence);
  if (second.type !== 'appended') throw new Error(second.type);
  const stored = await deliveries.read(delivery.key);
  expect(stored && readDelivery(stored)).toMatchObject({ status: 'dead_letter' });
  expect(stored && readDeliveryKey(stored)).toEqual(delivery.key);
  await deliveries.remove(second.sequence);
  await deliveries.remove(second.sequence);
  expect(await deliveries.read(delivery.key)).toBeUndefined();
  expect((await deliveries.write(dead, second.sequence)).type).toBe('conflict');
});
