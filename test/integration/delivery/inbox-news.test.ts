import { randomUUID } from 'node:crypto';
import { partitionOf } from '@relay/bus';
import { agentIdSchema } from '@relay/protocol';
import { expect, it, onTestFinished } from 'vitest';
import { InboxNews } from '../../../services/delivery/src/webhook/inbox-news.ts';
import { fillInbox } from '../../support/fill-inbox.ts';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

it('of a partition that was left while it was asked for nothing is told until it is asked for again', async () => {
  const bus = await busForTest(await natsForTest());
  const told: number[] = [];
  const news = new InboxNews(bus, ({ sequence }) => told.push(sequence));
  onTestFinished(() => news.close());
  const agentId = agentIdSchema.parse(randomUUID());
  const partition = partitionOf(agentId);
  const asked = news.follow(partition);
  news.leave(partition);
  await asked;
  await fillInbox(bus, agentId, 1);
  const askedAgain = [news.follow(partition), news.follow(partition)];
  await Promise.all(askedAgain);
  await fillInbox(bus, agentId, 2);
  await expect.poll(() => told).toEqual([2, 3]);
});
