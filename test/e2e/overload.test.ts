import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { adminToken } from '../support/gateway.ts';
import {
  type Answer,
  atOnce,
  GatewayClient,
  message,
  type TestAgent,
} from '../support/gateway-client.ts';
import { TestRelay } from '../support/relay.ts';

const mebibyte = 1024 * 1024;
const limits = { requests: 40, waits: 40, connections: 300 };
/** What is offered at once, of what it can carry. */
const times = 5;
const rounds = 4;
/** Beyond what it takes at rest. Half of it was measured. */
const memoryBound = 448 * mebibyte;

interface Sent {
  readonly kind: 'send' | 'read' | 'wait';
  readonly messageId: string;
  readonly answer: Answer;
}

describe('five times as much as a relay can carry', () => {
  let relay: TestRelay;
  let client: GatewayClient;
  let planner: TestAgent;
  let worker: TestAgent;
  let sent: Sent[];
  let secondsToRecover: number;
  let memory: { readonly before: number; readonly highest: number };

  const text = 'x'.repeat(10_000);
  const largeMessage = (messageId: string) =>
    message('hello', { messageId, metadata: { texts: Array.from({ length: 25 }, () => text) } });

  const calls = {
    send: (messageId: string) =>
      client.rpc({
        from: planner,
        to: worker,
        method: 'SendMessage',
        params: { message: largeMessage(messageId), configuration: atOnce },
      }),
    wait: (messageId: string) =>
      client.send('POST', `/${worker.handle}/message:send`, {
        token: planner.token,
        body: { message: message('wait', { messageId }) },
      }),
    read: () => client.send('GET', '/v1/me', { token: planner.token }),
  };

  async function call(kind: Sent['kind']): Promise<Sent> {
    const messageId = randomUUID();
    return { kind, messageId, answer: await calls[kind](messageId) };
  }

  /** As many callers as given, each with one call after the other. */
  async function offer(kind: Sent['kind'], callers: number): Promise<Sent[]> {
    const all = Array.from({ length: callers }, async () => {
      const done: Sent[] = [];
      for (let round = 0; round < rounds; round += 1) done.push(await call(kind));
      return done;
    });
    return (await Promise.all(all)).flat();
  }

  /** Bytes resident, as the relay tells; it must tell also while it refuses all else. */
  async function residentBytes(): Promise<number> {
    const { text: metrics } = await client.send('GET', '/metrics');
    return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1]);
  }

  beforeAll(async () => {
    relay = await TestRelay.start({
      RELAY_ADMIN_TOKEN: adminToken,
      RELAY_REQUEST_LIMIT: String(limits.requests),
      RELAY_WAIT_LIMIT: String(limits.waits),
      RELAY_CONNECTION_LIMIT: String(limits.connections),
      RELAY_SEND_WAIT_SECONDS: '1',
    });
    client = new GatewayClient(relay.url);
    planner = await client.createAgent();
    worker = await client.createAgent();
    const before = await residentBytes();
    let highest = before;
    const isOver = new AbortController();
    const watch = async () => {
      while (!isOver.signal.aborted) {
        highest = Math.max(highest, await residentBytes());
        await sleep(50);
      }
    };
    const watching = watch();
    const offered = await Promise.all([
      offer('send', times * limits.requests),
      offer('wait', times * limits.waits),
      offer('read', limits.requests),
    ]);
    sent = offered.flat();
    const endedAt = performance.now();
    const isTakenAgain = async () => (await call('send')).answer.status === 200;
    await vi.waitUntil(isTakenAgain, { timeout: 10_000 });
    secondsToRecover = (performance.now() - endedAt) / 1_000;
    isOver.abort();
    await watching;
    memory = { before, highest };
  }, 120_000);
  afterAll(() => relay?.stop());

  it('is done, or refused with 429 or 503 and when to try again, in the form of each caller', () => {
    const refused = sent.filter(({ answer }) => answer.status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(sent.length);
    const refusals = {
      send: { jsonrpc: '2.0', error: { code: -32603 } },
      wait: { error: { status: 'UNAVAILABLE' } },
      read: { success: false, error: { code: 3006 } },
    };
    for (const { kind, answer } of refused) {
      expect([429, 503]).toContain(answer.status);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.body).toMatchObject(refusals[kind]);
    }
  });

  it('loses nothing that was acknowledged', async () => {
    const tasks = sent.flatMap(({ kind, messageId, answer }) =>
      kind !== 'read' && answer.status === 200
        ? [{ messageId, id: answer.body.result?.task.id ?? answer.body.task.id }]
        : [],
    );
    expect(tasks.length).toBeGreaterThan(limits.requests);
    for (const { messageId, id } of tasks) {
      const { body } = await client.rpc({
        from: planner,
        to: worker,
        method: 'GetTask',
        params: { id },
      });
      expect(body.result).toMatchObject({ id, history: [{ messageId }] });
    }
  });

  it('costs no more memory than its limits allow', () => {
    expect(memory.highest - memory.before).toBeLessThan(memoryBound);
  });

  it('is over when it is over', () => {
    expect(secondsToRecover).toBeLessThan(10);
  });
});
