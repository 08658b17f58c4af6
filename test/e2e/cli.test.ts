import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connectBus } from '@relay/bus';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { AgentSocket } from '../support/agent-socket.ts';
import { TestCli } from '../support/cli.ts';
import { adminToken } from '../support/gateway.ts';
import { GatewayClient } from '../support/gateway-client.ts';
import { freePort, TestRelay } from '../support/relay.ts';
import { startNats, startRedis, type TestServer } from '../support/servers.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

// Each command is a process of its own, and a busy machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const run = promisify(execFile);
const sentSchema = z.object({ task: z.object({ id: z.string() }) });
const eventSchema = z.object({ event_type: z.string() });
const findingsSchema = z.array(z.object({ check: z.string(), status: z.string() }));
const countsSchema = z.object({ examined: z.int(), rewrapped: z.int(), failed: z.int() });
const french = 'Translate "good morning" into French';

let nats: TestServer;
let redis: TestServer;
let relay: TestRelay;
let client: GatewayClient;
/** On the machine of the relay: all it needs is in the data directory. */
let cli: TestCli;

beforeAll(async () => {
  [nats, redis] = await Promise.all([startNats(), startRedis()]);
  relay = await TestRelay.start({
    RELAY_NATS_URL: nats.url,
    RELAY_REDIS_URL: redis.url,
    RELAY_DEMO: 'true',
    RELAY_ADMIN_TOKEN: adminToken,
    RELAY_ALLOW_PRIVATE_TARGETS: 'true',
    RELAY_WEBHOOK_RETRY_SECONDS: '0.1',
  });
  client = new GatewayClient(relay.url);
  cli = new TestCli({ RELAY_DATA_DIR: relay.dataDir });
});

afterAll(async () => {
  await relay?.stop();
  await Promise.all([nats?.stop(), redis?.stop()]);
});

describe('agents and tokens', () => {
  it('are made, listed, changed, shown and deleted, as tables and as JSON', async () => {
    const token = (
      await cli.done('agents', 'create', 'cli_agent', '--display-name', 'First')
    ).trim();
    expect(token).toMatch(/^relay_agent_/);
    await cli.done('agents', 'update', 'cli_agent', '--subtitle', 'A subtitle');
    expect(await cli.done('agents', 'show', '@cli_agent')).toMatch(/subtitle +A subtitle/);
    expect(await cli.done('agents', 'list')).toMatch(/^HANDLE.*\n(.*\n)*cli_agent +First +no/);
    expect(await cli.json('agents', 'list')).toContainEqual(
      expect.objectContaining({ handle: 'cli_agent', subtitle: 'A subtitle' }),
    );
    await cli.done('agents', 'delete', 'cli_agent', '--free-handle');
    expect((await cli.run(['agents', 'show', 'cli_agent'])).code).toBe(5);
  });

  it('tokens are made, listed and revoked', async () => {
    const { handle } = await client.createAgent();
    const second = (await cli.done('tokens', 'create', handle, '--name', 'second')).trim();
    const [, listed = ''] = (await cli.done('tokens', 'list', handle)).trim().split('\n').slice(1);
    const [id = '', name] = listed.split(/ +/);
    expect(name).toBe('second');
    const ask = async () => {
      const missing = ['task', '00000000-0000-4000-8000-000000000000'];
      return (await cli.with({ RELAY_TOKEN: second }).run(missing)).code;
    };
    expect(await ask()).toBe(5);
    await cli.done('tokens', 'revoke', handle, id);
    await expect.poll(ask, { timeout: 60_000 }).toBe(4);
  });

  it.each([
    ['what is not there', ['agents', 'show', 'nobody'], 5, 'not found'],
    ['a handle that is taken', ['agents', 'create', 'planner'], 6, 'taken'],
    ['a handle that is none', ['agents', 'create', 'X'], 6, 'handle'],
    ['a token that is not good', ['agents', 'list', '--token', 'wrong'], 4, 'authentication'],
  ])('of %s the command tells in a line, by its exit code', async (_, args, code, word) => {
    const result = await cli.run(args);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr.toLowerCase()).toContain(word);
    expect(result.stderr.trim().split('\n').length).toBeLessThanOrEqual(3);
  });
});

describe('send, task and tail', () => {
  it('send prints what comes of a message, and ends with 1 where that is bad', async () => {
    expect(await cli.done('send', 'translator', french)).toMatch(
      /^task \S+ is completed\nbonjour\n/,
    );
    const bad = await cli.run(['send', '@translator', '-'], 'Translate "xyzzy" into French');
    expect([bad.code, bad.stderr]).toEqual([1, 'relay: the task is rejected\n']);
    expect(await cli.done('send', 'translator', french, '--no-wait')).toMatch(/is submitted\n/);
    const asked = await cli.json('send', 'translator', 'Translate "good morning"');
    const { task } = sentSchema.parse(asked);
    expect(await cli.done('send', 'translator', 'German', '--task', task.id)).toContain(
      'completed',
    );
  });

  it('task shows the changes of a task in their order, to its sides and to who manages them', async () => {
    const { task } = sentSchema.parse(await cli.json('send', 'translator', french));
    const table = await cli.done('task', task.id);
    const changes = table.trim().split('\n').slice(1);
    expect(changes.map((line) => line.split(/ {2,}/).slice(3, 5))).toEqual([
      ['submitted', 'submitted'],
      ['status-changed', 'working'],
      ['artifact-added', 'working'],
      ['status-changed', 'completed'],
    ]);
    expect(await cli.done('task', task.id, '--agent', 'translator')).toBe(table);
    expect((await cli.run(['task', task.id, '--agent', 'concierge'])).code).toBe(5);
  });

  it('tail prints events as they come, and takes none away', async () => {
    const sender = await client.createAgent();
    const watched = cli.with({ RELAY_TOKEN: sender.token });
    const tail = watched.start(['tail', '--json']);
    const asSender = cli.with({ RELAY_TOKEN: sender.token });
    await asSender.done('send', 'translator', french);
    await expect.poll(() => tail.lines.length, { timeout: 60_000 }).toBe(3);
    expect(tail.lines.map((line) => eventSchema.parse(JSON.parse(line)).event_type)).toEqual(
      Array.from({ length: 3 }, () => 'task.updated'),
    );
    expect(await tail.stop()).toBe(0);
    const url = `${relay.url.replace('http', 'ws')}/v1/websocket`;
    const socket = await AgentSocket.open({ url, token: sender.token });
    expect(socket.ready.acked_through).toBe('0');
    await socket.untilEvents(3);
    await socket.close();
    const refused = await cli.with({ RELAY_TOKEN: 'wrong' }).run(['tail']);
    expect(refused.code).toBe(4);
  });
});

describe('what did not arrive', () => {
  it('dead letters of all agents are listed and sent again', async () => {
    const worker = await client.createAgent();
    const receiver = await WebhookReceiver.start();
    receiver.answer = () => 503;
    await client.send('POST', '/v1/webhook-subscriptions', {
      token: worker.token,
      body: { target_url: receiver.url, subscribed_events: ['task.created'] },
    });
    await cli.done('send', worker.handle, 'hello', '--no-wait');
    const list = () => cli.json('dead-letters', 'list');
    await expect.poll(list, { timeout: 60_000, interval: 2_000 }).toHaveLength(1);
    expect(await cli.done('dead-letters', 'list')).toMatch(
      new RegExp(`${worker.handle} .*task.created +2 +503`),
    );
    expect(await cli.json('dead-letters', 'list', '--agent', 'planner')).toEqual([]);
    expect(await cli.json('dead-letters', 'list', '--event', 'task.message')).toEqual([]);
    expect(await cli.json('dead-letters', 'redrive', '--dry-run')).toEqual({
      matched: 1,
      redriven: 0,
    });
    receiver.answer = () => 204;
    expect(await cli.done('dead-letters', 'redrive')).toBe('1 of 1 are sent again\n');
    await receiver.count(3);
    await expect.poll(list, { timeout: 60_000, interval: 2_000 }).toEqual([]);
    const none = await cli.run(['dead-letters', 'redrive', 'x', '--agent', worker.handle]);
    expect(none.code).toBe(5);
  });

  it('stuck changes are listed, and processed again', async () => {
    const worker = await client.createAgent();
    await cli.done('send', worker.handle, 'hello', '--no-wait');
    const bus = await connectBus({ servers: nats.url, name: 'test', replicas: 1 });
    onTestFinished(() => bus.close());
    const last = await bus.tasks.stream.readLast('task.*.*');
    if (!last) throw new Error('nothing is stored');
    await bus.deliveries.setAside('fan-out-tasks', last);
    const id = `fan-out-tasks_${last.sequence}`;
    expect(await cli.done('stuck', 'list')).toContain(id);
    expect((await cli.run(['stuck', 'redrive'])).code).toBe(2);
    expect(await cli.done('stuck', 'redrive', id)).toBe('redriven\n');
    expect((await cli.run(['stuck', 'redrive', id])).code).toBe(5);
    expect(await cli.json('stuck', 'redrive', '--all')).toEqual([]);
    expect(await cli.json('stuck', 'list')).toEqual([]);
  });
});

describe('doctor and config', () => {
  it('doctor finds nothing wrong with a relay that is well, and says what else is', async () => {
    const given = { RELAY_NATS_URL: nats.url, RELAY_REDIS_URL: redis.url };
    const well = await cli.with(given).run(['doctor', '--json']);
    expect([well.code, well.stderr]).toEqual([0, '']);
    const findings = findingsSchema.parse(JSON.parse(well.stdout));
    const okay = findings.filter(({ status }) => status === 'ok').map(({ check }) => check);
    for (const check of ['relay', 'nats', 'streams', 'redis', 'clock of nats', 'token', 'node']) {
      expect(okay).toContain(check);
    }
    const port = await freePort();
    const ill = cli.with({
      RELAY_NATS_URL: `nats://127.0.0.1:${port}`,
      RELAY_REDIS_URL: `redis://127.0.0.1:${port}`,
    });
    const { code, stdout } = await ill.run(['doctor']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAULT +nats .*\n +→ Start NATS/);
    expect(stdout).toMatch(/FAULT +redis .*\n +→ Start Redis/);
  });

  it('doctor says where to begin when nothing runs, and which setting is wrong', async () => {
    const nothing = new TestCli({ RELAY_DATA_DIR: join(relay.dataDir, 'nothing') });
    const { code, stdout } = await nothing.run(['doctor', '--url', 'http://127.0.0.1:1']);
    expect(code).toBe(0);
    expect(stdout).toContain('relay up');
    const wrong = await nothing.with({ RELAY_PROT: '1' }).run(['doctor']);
    expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining('RELAY_PROT')]);
  });

  it('config shows each setting with its source, no secret, and what is wrong', async () => {
    const file = join(await createTemporaryDirectory(), 'token');
    await writeFile(file, 'canary\n');
    const set = cli.with({ RELAY_ADMIN_TOKEN_FILE: file, RELAY_PORT: '9000' });
    const settings = await set.json('config');
    expect(settings).toContainEqual(
      expect.objectContaining({ name: 'RELAY_PORT', value: '9000', source: 'environment' }),
    );
    expect(settings).toContainEqual(
      expect.objectContaining({ name: 'RELAY_ADMIN_TOKEN', value: '[secret]', source: 'file' }),
    );
    const { code, stderr } = await cli.with({ RELAY_PORT: 'x' }).run(['config']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^relay: RELAY_PORT must be/)]);
  });
});

describe('secrets', () => {
  it('are sealed anew with the newest key, once, and then the old key is not needed', async () => {
    const { stdout: newKey } = await run('openssl', ['rand', '-base64', '32']);
    const worker = await client.createAgent();
    const receiver = await WebhookReceiver.start();
    const created = await client.send('POST', '/v1/webhook-subscriptions', {
      token: worker.token,
      body: {
        target_url: receiver.url,
        subscribed_events: ['task.created'],
        headers: { 'x-api-key': 'canary' },
      },
    });
    const path = `/v1/webhook-subscriptions/${created.body.id}/test`;
    const before = countsSchema.parse(await cli.json('secrets', 'rewrap'));
    expect(before).toMatchObject({ rewrapped: 0, failed: 0 });
    await relay.replace({ RELAY_SECRET_KEY: newKey.trim() });
    const { examined } = before;
    const told = await cli.run(['secrets', 'rewrap']);
    expect([told.code, told.stderr]).toEqual([
      0,
      `relay: ${examined} secrets looked at, ${examined} sealed anew, 0 not opened\n`,
    ]);
    expect(await cli.json('secrets', 'rewrap')).toEqual({ examined, rewrapped: 0, failed: 0 });
    await relay.forgetSecretKey();
    await relay.replace({ RELAY_SECRET_KEY: newKey.trim() });
    const { token } = worker;
    await expect
      .poll(async () => (await client.send('POST', path, { token })).text, { timeout: 60_000 })
      .toContain('"outcome":"delivered"');
    expect(receiver.received.at(-1)?.headers['x-api-key']).toBe('canary');
  });
});
