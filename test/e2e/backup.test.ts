import { appendFile, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecretKeyText } from '@relay/runtime';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { AgentSocket } from '../support/agent-socket.ts';
import { TestCli } from '../support/cli.ts';
import { adminToken } from '../support/gateway.ts';
import { GatewayClient, message, type TestAgent } from '../support/gateway-client.ts';
import { TestRelay } from '../support/relay.ts';
import { startNats, startRedis, type TestServer } from '../support/servers.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 });

let redis: TestServer;
let natsBefore: TestServer;
let natsAfter: TestServer;
let relay: TestRelay;
let client: GatewayClient;
let directory: string;

const settingsOf = (nats: TestServer) => ({ RELAY_NATS_URL: nats.url });
const cliOn = (nats: TestServer) =>
  new TestCli({ ...settingsOf(nats), RELAY_DATA_DIR: relay.dataDir });

beforeAll(async () => {
  [redis, natsBefore, natsAfter] = await Promise.all([startRedis(), startNats(), startNats()]);
  directory = await createTemporaryDirectory();
  relay = await TestRelay.start({
    ...settingsOf(natsBefore),
    RELAY_REDIS_URL: redis.url,
    RELAY_DEMO: 'true',
    RELAY_ADMIN_TOKEN: adminToken,
    RELAY_ALLOW_PRIVATE_TARGETS: 'true',
    RELAY_WEBHOOK_RETRY_SECONDS: '0.1',
  });
  client = new GatewayClient(relay.url);
});

afterAll(async () => {
  await relay?.stop();
  await Promise.all([redis, natsBefore, natsAfter].map((server) => server?.stop()));
  await rm(directory, { recursive: true, force: true });
});

async function send(from: TestAgent, to: TestAgent): Promise<string> {
  const body = { to: to.handle, message: message() };
  const answer = await client.send('POST', '/v1/tasks', { token: from.token, body });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body.task.id;
}

/** Everything that an agent has sent. */
async function listed({ token }: TestAgent): Promise<string[]> {
  const ids: string[] = [];
  let next = '';
  do {
    const query = `?role=requester&page_size=100${next && `&page_token=${next}`}`;
    const { status, text, body } = await client.send('GET', `/v1/tasks${query}`, { token });
    if (status !== 200) throw new Error(text);
    ids.push(...body.tasks.map(({ id }) => id));
    next = body.next_page_token;
  } while (next);
  return ids;
}

const chatsSchema = z.object({ chats: z.array(z.object({ id: z.string() })) });

const open = ({ token }: TestAgent, acknowledges = false) =>
  AgentSocket.open({
    url: `${relay.url.replace('http', 'ws')}/v1/websocket`,
    token,
    acknowledges,
  });

it('a backup of a relay under load brings back all that was acknowledged before it', async () => {
  const [planner, worker, hooked] = [
    await client.createAgent(),
    await client.createAgent(),
    await client.createAgent(),
  ];
  const receiver = await WebhookReceiver.start();
  receiver.answer = ({ taskId }) => (taskId === refused ? 404 : 204);
  let refused = '';
  await client.send('POST', '/v1/webhook-subscriptions', {
    token: hooked.token,
    body: {
      target_url: receiver.url,
      subscribed_events: ['task.created'],
      headers: { 'x-key': 'canary' },
    },
  });
  refused = await send(planner, hooked);
  await receiver.count(1);
  const deadLetters = () => cliOn(natsBefore).json('dead-letters', 'list');
  await expect.poll(deadLetters, { timeout: 60_000, interval: 2_000 }).toHaveLength(1);
  const written = await client.send('POST', '/v1/messages', {
    token: planner.token,
    body: { to: [worker.handle], message: { parts: [{ type: 'text', value: 'hello' }] } },
  });
  expect([written.status, written.text]).toEqual([202, written.text]);

  const before = [refused];
  for (let n = 0; n < 20; n += 1) before.push(await send(planner, worker));
  const early = await open(worker);
  await early.untilEvents(20);
  early.acknowledge(10);
  await early.ping();
  await early.close();
  const passed = early.events.slice(0, 10);
  const load = startLoad(planner, worker);
  await vi.waitUntil(() => load.acknowledged.length > 20, { timeout: 60_000 });
  before.push(...load.acknowledged);
  const backup = join(directory, 'backup');
  await cliOn(natsBefore).done('backup', backup);
  const after = await load.stop();
  expect(after.length).toBeGreaterThan(before.length);

  const restore = await cliOn(natsAfter).run(['restore', backup]);
  expect([restore.code, restore.stderr]).toEqual([0, expect.stringContaining('8 streams')]);
  await relay.replace(settingsOf(natsAfter));
  const inLists = await vi.waitUntil(() => listed(planner).catch(() => undefined), {
    timeout: 60_000,
    interval: 500,
  });
  expect(inLists).toEqual(expect.arrayContaining(before));
  for (const id of [...before.slice(0, 3), ...before.slice(-3)]) {
    const { status } = await client.send('GET', `/v1/tasks/${id}`, { token: worker.token });
    expect([id, status]).toEqual([id, id === refused ? 404 : 200]);
  }
  const chats = await client.send('GET', '/v1/chats', { token: worker.token });
  expect(chatsSchema.parse(JSON.parse(chats.text)).chats).toHaveLength(1);

  const told = await open(worker, true);
  expect(told.ready.full_sync_required).toBe(true);
  told.completeFullSync();
  const later = await send(planner, worker);
  await told.until(() => told.events.some(({ body }) => body.includes(later)));
  const heard = new Set(told.events.map(({ eventId }) => eventId));
  expect(heard.size).toBe(told.events.length);
  const isAmong = (events: typeof passed, id: string) =>
    events.some(({ body }) => body.includes(id));
  const owed = before.filter((id) => id !== refused && !isAmong(passed, id));
  expect(owed.filter((id) => !isAmong(told.events, id))).toEqual([]);
  await told.close();

  const again = await send(planner, hooked);
  await receiver.until((received) => received.some(({ taskId }) => taskId === again));
  expect(receiver.received.at(-1)?.headers['x-key']).toBe('canary');
  const cli = cliOn(natsAfter);
  expect(await cli.json('dead-letters', 'list')).toHaveLength(1);
  receiver.answer = () => 204;
  await cli.done('dead-letters', 'redrive');
  await expect
    .poll(() => cli.json('dead-letters', 'list'), { timeout: 60_000, interval: 2_000 })
    .toEqual([]);
  expect((await cli.run(['doctor'])).code).toBe(0);
  const stranger = { RELAY_SECRET_KEY: createSecretKeyText(), RELAY_DATA_DIR: directory };
  const { code, stdout } = await cli.with(stranger).run(['doctor']);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/FAULT +sealed secrets +2 of 2 /)]);
});

it('nothing is restored over a relay, nor of a backup that is not whole', async () => {
  const backup = join(directory, 'another');
  await cliOn(natsAfter).done('backup', backup);
  const empty = await startNats();
  const isRefused = async (nats: TestServer, word: string) => {
    const { code, stderr } = await cliOn(nats).run(['restore', backup]);
    expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining(word)]);
    expect(code).not.toBe(0);
  };
  await isRefused(natsAfter, 'not empty');
  await appendFile(join(backup, 'TASKS.snapshot'), 'x');
  await isRefused(empty, 'TASKS.snapshot is not what was backed up');
  await rm(join(backup, 'INBOX.snapshot'));
  await isRefused(empty, 'INBOX.snapshot');
  await rename(join(backup, 'manifest.json'), join(backup, 'manifest.old'));
  await isRefused(empty, 'not that of a finished backup');
  const nothing = await cliOn(empty).run(['backup', join(directory, 'nothing')]);
  expect([nothing.code, nothing.stderr]).toEqual([
    5,
    expect.stringContaining('nothing to back up'),
  ]);
  await empty.stop();
});

it('a relay with servers of its own is backed up and restored by its data directory', async () => {
  const data = await createTemporaryDirectory();
  const embedded = new TestCli({ RELAY_DATA_DIR: join(data, 'one') });
  const other = new TestCli({ RELAY_DATA_DIR: join(data, 'two') });
  await mkdir(join(data, 'one'));
  const first = await TestRelay.start();
  const running = new TestCli({ RELAY_DATA_DIR: first.dataDir });
  await running.done('send', 'translator', 'Translate "good morning" into French');
  const { agents } = await first.credentials();
  const subscribed = await new GatewayClient(first.url).send('POST', '/v1/webhook-subscriptions', {
    token: agents.planner,
    body: { target_url: 'https://receiver.example/', subscribed_events: ['task.created'] },
  });
  expect(subscribed.status).toBe(201);
  const whileItRuns = join(data, 'running');
  await running.done('backup', whileItRuns);
  await copyFile(join(first.dataDir, 'secret.key'), join(data, 'secret.key'));
  await first.stop();
  const withoutKey = await embedded.run(['restore', whileItRuns]);
  expect([withoutKey.code, withoutKey.stderr]).toEqual([6, expect.stringContaining('sealed with')]);
  await copyFile(join(data, 'secret.key'), join(data, 'one', 'secret.key'));
  await embedded.done('restore', whileItRuns);
  const whileItRests = join(data, 'resting');
  await embedded.done('backup', whileItRests);
  const lost = await other.run(['restore', whileItRests, '--without-keys']);
  expect([lost.code, lost.stderr]).toEqual([0, expect.stringContaining('warning: secrets')]);
  const again = await other.run(['restore', whileItRests, '--without-keys']);
  expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('not empty')]);
  const leftBehind = (await readdir(join(data, 'two'))).filter((name) => name.endsWith('.lock'));
  expect(leftBehind).toEqual([]);
  await rm(data, { recursive: true });
});

/** Sends one task after the other until it is stopped. */
function startLoad(from: TestAgent, to: TestAgent) {
  const acknowledged: string[] = [];
  let isStopped = false;
  const sending = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isStopped) acknowledged.push(await send(from, to));
    }),
  );
  return {
    acknowledged,
    stop: async () => {
      isStopped = true;
      await sending;
      return acknowledged;
    },
  };
}
