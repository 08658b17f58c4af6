import { generateKeyPairSync } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WebhookDelivery } from '@relay/protocol';
import { Redis } from 'ioredis';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { adminToken } from '../support/gateway.ts';
import { type Answer, GatewayClient, message, type TestAgent } from '../support/gateway-client.ts';
import { TestRelay } from '../support/relay.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

const path = '/v1/webhook-subscriptions';
const headerValue = 'canary-of-a-header-value';
const otherValue = 'canary-of-another-value';
const pushToken = 'canary-of-a-push-token';
const pushCredentials = 'canary-of-push-credentials';
const wrongToken = 'canary-of-a-wrong-token';
const { privateKey } = generateKeyPairSync('ed25519');
const signingKey = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
/** These two files hold secrets, for their owner alone. */
const secretFiles = ['credentials.json', 'secret.key'];

it('no secret stands in anything that the relay writes or answers, but where it is made', async () => {
  const relay = await TestRelay.start({
    RELAY_ADMIN_TOKEN: adminToken,
    RELAY_ALLOW_PRIVATE_TARGETS: 'true',
    RELAY_CARD_SIGNING_KEY: signingKey,
    RELAY_LOG_LEVEL: 'trace',
    RELAY_PUBLIC_URL: 'https://relay.example',
    RELAY_WEBHOOK_RETRY_SECONDS: '0.1,0.1',
  });
  onTestFinished(() => relay.stop());
  const client = new GatewayClient(relay.url);
  const [planner, worker] = [await client.createAgent(), await client.createAgent()];

  const { answers, signingSecrets } = await useWebhooks(client, planner, worker);
  answers.push(...(await usePush(client, planner, worker)));
  for (const where of ['/.well-known/jwks.json', `/${worker.handle}/agent-card.json`]) {
    const answer = await client.send('GET', where);
    expect(answer.text).toMatch(/"kid":|"signatures":/);
    answers.push(answer);
  }
  const secrets = [
    ...signingSecrets,
    headerValue,
    otherValue,
    pushToken,
    pushCredentials,
    wrongToken,
    planner.token,
    worker.token,
    adminToken,
    signingKey,
    String(privateKey.export({ format: 'jwk' }).d),
    ...Object.values((await relay.credentials()).agents),
  ].flatMap(formsOf);
  for (const [index, { text }] of answers.entries()) {
    expect([index, secrets.filter((secret) => text.includes(secret))]).toEqual([index, []]);
  }
  await saveRedis(join(relay.dataDir, 'redis.sock'));
  await expect.poll(() => holds(relay.dataDir, ['x-api-key'])).not.toEqual([]);
  expect(await holds(relay.dataDir, [worker.id])).toContain(join('redis', 'dump.rdb'));
  expect(await holds(relay.dataDir, secrets)).toEqual([]);
  expect(relay.output).toContain(worker.id);
  expect(secrets.filter((secret) => relay.output.includes(secret))).toEqual([]);
});

/** Makes, reads, changes and tries subscriptions, has deliveries fail, and asks for what is refused. */
async function useWebhooks(client: GatewayClient, planner: TestAgent, worker: TestAgent) {
  const receiver = await WebhookReceiver.start();
  receiver.answer = ({ headers }) => ({ status: 404, body: `sent: ${JSON.stringify(headers)}` });
  const answers: Answer[] = [];
  const ask = async (method: string, where: string, body?: unknown, token = worker.token) => {
    const answer = await client.send(method, where, {
      token,
      ...(body === undefined ? {} : { body }),
    });
    answers.push(answer);
    return answer;
  };
  const make = async (where: string, body?: unknown) => {
    await ask('POST', where, body);
    return madeSchema.parse(JSON.parse(answers.pop()?.text ?? ''));
  };
  const subscription = {
    target_url: receiver.url,
    subscribed_events: ['task.created'],
    headers: { 'X-Api-Key': headerValue },
  };
  const made = await make(path, subscription);
  const own = `${path}/${made.id}`;
  const rotated = await make(`${own}/rotate-secret`);
  await ask('GET', own);
  await ask('PUT', own, { headers: { 'X-Api-Key': otherValue } });
  await ask('GET', path);
  await ask('POST', `${own}/test`);
  for (const refused of [
    { ...subscription, headers: { host: headerValue } },
    { ...subscription, headers: { 'x-a': `${headerValue}\n` } },
    { ...subscription, headers: { 'x-a': [headerValue] } },
    { ...subscription, target_url: 'ftp://receiver.example/' },
    { ...subscription, target_url: 'https://169.254.169.254/' },
    `{"headers": {"x-a": "${headerValue}"`,
  ]) {
    expect((await ask('POST', path, refused)).status).toBe(400);
    expect((await ask('PUT', own, refused)).status).toBe(400);
  }
  expect((await ask('GET', own, undefined, wrongToken)).status).toBe(401);
  expect((await ask('GET', own, undefined, planner.token)).status).toBe(404);
  await client.rpc({ from: planner, to: worker, method: 'SendMessage', params: task() });
  await receiver.count(2);
  await expect
    .poll(async () => (await ask('GET', '/v1/webhook-deliveries')).text)
    .toContain('dead_letter');
  return { answers, signingSecrets: [made.signing_secret, rotated.signing_secret] };
}

/** Has a task pushed by configs of every version to a receiver that repeats what it is sent, and reads all. */
async function usePush(client: GatewayClient, planner: TestAgent, worker: TestAgent) {
  const receiver = await WebhookReceiver.start();
  receiver.answer = ({ headers }) => ({ status: 404, body: `sent: ${JSON.stringify(headers)}` });
  const answers: Answer[] = [];
  const rpc = async (method: string, params: unknown) => {
    const answer = await client.rpc({ from: planner, to: worker, method, params });
    answers.push(answer);
    return answer;
  };
  const secrets = { url: receiver.url, token: pushToken };
  const authentication = { scheme: 'Bearer', credentials: pushCredentials };
  const taskPushNotificationConfig = { id: 'inline', ...secrets, authentication };
  const configuration = { returnImmediately: true, taskPushNotificationConfig };
  const { body } = await rpc('SendMessage', { message: message(), configuration });
  const taskId = body.result.task.id;
  const older = { schemes: ['Bearer'], credentials: pushCredentials };
  await rpc('CreateTaskPushNotificationConfig', { taskId, ...secrets, authentication });
  await rpc('tasks/pushNotificationConfig/set', {
    taskId,
    pushNotificationConfig: { id: 'older', ...secrets, authentication: older },
  });
  for (const refused of [
    { ...secrets, url: 'https://169.254.169.254/' },
    { ...secrets, token: `${pushToken}\n` },
    { ...secrets, authentication: { scheme: 'Be arer', credentials: pushCredentials } },
  ]) {
    const refusal = await rpc('CreateTaskPushNotificationConfig', { taskId, ...refused });
    expect(refusal.body.error.code).toBe(-32602);
  }
  await rpc('CancelTask', { id: taskId });
  await receiver.count(3);
  await rpc('ListTaskPushNotificationConfigs', { taskId });
  await rpc('GetTaskPushNotificationConfig', { taskId, id: 'inline' });
  await rpc('tasks/pushNotificationConfig/list', { id: taskId });
  const deadLetters = () => client.send('GET', '/v1/webhook-deliveries', { token: planner.token });
  await expect
    .poll(async () => (await deadLetters()).body.deliveries.filter(isDead).length)
    .toBe(3);
  const read = await deadLetters();
  expect(read.text).toContain('[hidden]');
  return [...answers, read];
}

const isDead = ({ status }: WebhookDelivery) => status === 'dead_letter';

/** A rotation names no id. */
const madeSchema = z.object({ id: z.string().optional(), signing_secret: z.string() });

const task = () => ({ message: message(), configuration: { returnImmediately: true } });

/** A secret as it may be written. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  return [
    secret,
    secret.replace('whsec_', ''),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    ...(secret.startsWith('whsec_') ? [key.toString('base64url'), key.toString('hex')] : []),
  ];
}

/** The files below a directory that hold one of the texts, but for those that are made to hold secrets. */
async function holds(directory: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && !secretFiles.includes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
  const found: string[] = [];
  for (const name of names) {
    const content = await readFile(join(directory, name));
    if (texts.some((text) => content.includes(text))) found.push(name);
  }
  return found;
}

/** Writes all that Redis holds to its directory, so that it can be searched. */
async function saveRedis(socket: string): Promise<void> {
  const redis = new Redis(socket);
  await redis.config('SET', 'rdbcompression', 'no');
  await redis.save();
  redis.disconnect();
}
