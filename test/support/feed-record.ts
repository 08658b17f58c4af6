import { feedKey } from '@relay/bus';
import { expect } from 'vitest';
import { z } from 'zod';
import type { TestAgent, TestDelivery } from './delivery.ts';

/** What tests read and change in an agent's feed record. */
const feedSchema = z.looseObject({
  epoch: z.int(),
  acked: z.int(),
  verified: z.unknown(),
  owed: z.array(z.unknown()),
});
export type TestFeedRecord = z.infer<typeof feedSchema>;

export async function readFeed({ bus }: TestDelivery, { id }: TestAgent) {
  return (await bus.bucket('feeds', '', feedSchema).get(feedKey(id)))?.value;
}

/** Changes a record that is there: wait until it is, as a replica saves it some time after the fact. */
export async function changeFeed(
  { bus }: TestDelivery,
  { id }: TestAgent,
  change: (feed: TestFeedRecord) => TestFeedRecord,
): Promise<void> {
  await bus.bucket('feeds', '', feedSchema).change(feedKey(id), (feed) => {
    if (!feed) throw new Error('nothing is saved of this feed');
    return change(feed);
  });
}

/** Resolves when so many events are saved as acknowledged. */
export async function untilAcknowledged(
  delivery: TestDelivery,
  agent: TestAgent,
  count: number,
): Promise<void> {
  await expect.poll(async () => (await readFeed(delivery, agent))?.acked).toBe(count);
}
