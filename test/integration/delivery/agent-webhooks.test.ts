import { randomUUID } from 'node:crypto';
import { feedKey } from '@relay/bus';
import { createOutbound } from '@relay/outbound';
import { agentIdSchema, subscriptionIdSchema, timestampAt } from '@relay/protocol';
import { createLogger } from '@relay/runtime';
import { expect, it, onTestFinished } from 'vitest';
import { BacklogReader } from '../../../services/delivery/src/feed/backlog.ts';
import { ByteBudget } from '../../../services/delivery/src/feed/byte-budget.ts';
import {
  feedRecordSchema,
  newFeedRecord,
  withSubscription,
} from '../../../services/delivery/src/feed/feed-record.ts';
import { FeedSaver } from '../../../services/delivery/src/feed/feed-saver.ts';
import { InboxBounds } from '../../../services/delivery/src/feed/inbox-bounds.ts';
import { SharedPause } from '../../../services/delivery/src/pause.ts';
import { AgentWebhooks } from '../../../services/delivery/src/webhook/agent-webhooks.ts';
import type { SubscriptionRecord } from '../../../services/delivery/src/webhook/subscription.ts';
import { fillInbox } from '../../support/fill-inbox.ts';
import { testSealer } from '../../support/sealer.ts';
import { testConfig } from '../../support/task-manager.ts';
import { busForTest, natsForTest } from '../../support/test-bus.ts';

/** Saves nothing by itself. */
class HeldSaver extends FeedSaver {
  asked = 0;
  onAsked = () => undefined as void;

  override add(): void {
    this.asked += 1;
    this.onAsked();
  }
}

/** It wants no events, so that the look alone is what there is to do. */
const newSubscription = (): SubscriptionRecord => ({
  id: subscriptionIdSchema.parse(randomUUID()),
  targetUrl: 'https://receiver.example/',
  subscribedEvents: [],
  isActive: true,
  secrets: [],
  headers: {},
  createdAt: timestampAt(0),
  updatedAt: timestampAt(0),
});

async function startWebhooks<Saver extends FeedSaver>(
  saver: Saver,
  subscription = newSubscription(),
) {
  const nats = await natsForTest();
  const bus = await busForTest(nats);
  const agentId = agentIdSchema.parse(randomUUID());
  await fillInbox(bus, agentId, 3);
  const records = bus.bucket('feeds', '', feedRecordSchema);
  await records.create(feedKey(agentId), withSubscription(newFeedRecord, subscription));
  const record = await bus.feedRecords.readLast(`$KV.feeds.${feedKey(agentId)}`);
  if (!record) throw new Error('there is no record');
  const context = {
    bus,
    records,
    saver,
    outbound: createOutbound({ allowedNetworks: [], ownListeners: [] }),
    sealer: testSealer,
    logger: createLogger(testConfig, 'delivery'),
    schedule: [1_000],
    timeoutMilliseconds: 1_000,
    backlog: new BacklogReader(bus),
    bounds: new InboxBounds(bus.inbox.stream),
    budget: new ByteBudget(1024 * 1024),
    pause: new SharedPause(),
    push: undefined,
  };
  const lease = { name: '0', isHeld: () => true };
  const webhooks = new AgentWebhooks(context, agentId, lease, record);
  webhooks.start();
  onTestFinished(() => {
    webhooks.close();
    saver.close();
    context.outbound.close();
  });
  return { nats, bus, agentId, records, saver, webhooks };
}

it('an agent is not let go as idle while what is stored for its webhooks is looked for', async () => {
  const { bus, agentId, records, webhooks } = await startWebhooks(new FeedSaver());
  expect(webhooks.isIdle).toBe(false);
  await expect.poll(() => webhooks.isIdle).toBe(true);
  const saved = await records.get(feedKey(agentId));
  expect(saved?.value.position?.sequence).toBe((await bus.inbox.readLast(agentId))?.sequence);
});

it('webhooks that are given up pass nothing by for one that was added unheard', async () => {
  const { agentId, records, saver, webhooks } = await startWebhooks(new HeldSaver());
  await expect.poll(() => saver.asked).toBeGreaterThan(0);
  await records.change(feedKey(agentId), (record = newFeedRecord) =>
    withSubscription(record, newSubscription()),
  );
  await webhooks.finish();
  const saved = await records.get(feedKey(agentId));
  expect(saved?.value.subscriptions).toHaveLength(2);
  expect(saved?.value.position).toBeNull();
});

it('webhooks that are given up wait for the records that are being written', async () => {
  const isOff = { isActive: false, subscribedEvents: ['task.canceled' as const] };
  const saver = new HeldSaver();
  const started = startWebhooks(saver, { ...newSubscription(), ...isOff });
  const asked = new Promise<void>((resolve) => {
    saver.onAsked = resolve;
  });
  const { bus, agentId, records, webhooks } = await started;
  await asked;
  await webhooks.finish();
  const saved = await records.get(feedKey(agentId));
  const last = await bus.inbox.readLast(agentId);
  expect(saved?.value.position).toMatchObject({ sequence: last?.sequence, index: 63 });
});

it('webhooks that are given up while NATS stands still do not wait until their save has failed', async () => {
  const { nats, agentId, records, saver, webhooks } = await startWebhooks(new HeldSaver());
  await expect.poll(() => saver.asked).toBeGreaterThan(0);
  nats.pause();
  onTestFinished(() => nats.resume());
  // Asked before they ask, it is given up before what they would wait for to its end.
  const unanswered = records.get(feedKey(agentId)).catch(() => 'unanswered');
  const finished = webhooks.finish().then(() => 'finished');
  expect(await Promise.race([unanswered, finished])).toBe('finished');
});
