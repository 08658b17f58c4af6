import { randomUUID } from 'node:crypto';
import { type Bus, feedKey, inboxLimits, noMarks, Registry, unavailable } from '@relay/bus';
import {
  type AgentId,
  type AgentRecord,
  agentIdSchema,
  handleSchema,
  RelayError,
} from '@relay/protocol';
import { z } from 'zod';

/** What is changed of a feed record here. */
const feedSchema = z.looseObject({
  position: z.unknown(),
  acked: z.int(),
  subscriptions: z.array(z.looseObject({ id: z.string() })),
});
type Feed = z.infer<typeof feedSchema>;

export interface Filling {
  /** Those that are measured: they count among the agents, and get their share of the events. */
  readonly socketIds: readonly string[];
  readonly webhookIds: readonly string[];
  /** In all. */
  readonly agents: number;
  readonly events: number;
}

/** One idle agent of so many has a webhook; the others have had a WebSocket. */
const agentsForEachWebhook = 10;
const atOnce = 128;
/** With what its envelope adds, about an event of a short task. */
const bodyBytes = 800;

/** Writes agents and delivered events past the API, as the services would. No Relay may run meanwhile. */
export async function fillSite(bus: Bus, filling: Filling): Promise<void> {
  const registry = new Registry(bus);
  const [modelId] = filling.webhookIds.map((id) => agentIdSchema.parse(id));
  const model = modelId && (await registry.agents.get(modelId))?.value;
  const feeds = bus.bucket('feeds', '', feedSchema);
  const modelFeed = modelId && (await feeds.get(feedKey(modelId)))?.value;
  if (!model || !modelFeed) throw new Error('there is no agent with a webhook');
  const measured = [...filling.socketIds, ...filling.webhookIds];
  const messages = Math.ceil(filling.events / inboxLimits.events);
  const fillOne = async (n: number) => {
    const share = Math.floor((messages + filling.agents - 1 - n) / filling.agents);
    const known = measured[n];
    const agentId = agentIdSchema.parse(known ?? randomUUID());
    const position = await fillInbox(bus, agentId, share);
    const hasWebhook = known ? n >= filling.socketIds.length : n % agentsForEachWebhook === 0;
    const acked = hasWebhook ? 0 : share * inboxLimits.events;
    const subscriptions = hasWebhook ? subscriptionsOf(modelFeed, known) : [];
    const feed = { ...modelFeed, subscriptions, position, acked };
    const key = feedKey(agentId);
    if (known) await feeds.change(key, (current = feed) => ({ ...current, position, acked }));
    else {
      await addAgent(registry, model, agentId);
      await feeds.create(key, feed);
    }
  };
  let next = 0;
  const fillSome = async () => {
    for (let n = next++; n < filling.agents; n = next++) await whileBusy(() => fillOne(n));
  };
  await Promise.all(Array.from({ length: atOnce }, fillSome));
}

/** On a machine that is busy with other things a request may come to nothing. */
async function whileBusy(work: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
    }
  }
}

/** Their secrets cannot be opened, and need not: an idle webhook is never sent. */
function subscriptionsOf({ subscriptions }: Feed, known: string | undefined) {
  return known ? subscriptions : subscriptions.map((each) => ({ ...each, id: randomUUID() }));
}

async function addAgent(registry: Registry, model: AgentRecord, id: AgentId): Promise<void> {
  const handle = handleSchema.parse(`idle_${id.replaceAll('-', '').slice(0, 16)}`);
  const sha256 = `${id}${id}`.replaceAll('-', '');
  const tokens = model.tokens.map((token) => ({ ...token, id: randomUUID(), sha256 }));
  await registry.agents.create(id, { ...model, id, handle, tokens });
  await registry.handles.create(handle, { agentId: id });
  await registry.tokens.create(sha256, { agentId: id });
}

/** @returns the position behind the last event; null where there is none */
async function fillInbox(bus: Bus, agentId: AgentId, messages: number) {
  if (messages === 0) return null;
  let sequence = (await bus.inbox.readLast(agentId))?.sequence ?? 0;
  let eventId = '';
  for (let n = 0; n < messages; n += 1) {
    const events = Array.from({ length: inboxLimits.events }, () => storedEvent(agentId));
    const outcome = await bus.inbox.append(agentId, events, noMarks(bus), sequence);
    if (outcome.type !== 'appended') throw unavailable();
    ({ sequence } = outcome);
    ({ eventId = '' } = events.at(-1) ?? {});
  }
  return { sequence, index: inboxLimits.events - 1, count: inboxLimits.events, eventId };
}

function storedEvent(agentId: AgentId) {
  const eventId = randomUUID();
  const type = 'task.canceled' as const;
  const envelope = { event_id: eventId, event_type: type, agent_id: agentId };
  const data = { task_id: randomUUID(), padding: 'x'.repeat(bodyBytes) };
  const bytes = Buffer.from(JSON.stringify({ ...envelope, data }));
  return { eventId, type, lane: data.task_id, revision: 1, at: Date.now(), bytes };
}
