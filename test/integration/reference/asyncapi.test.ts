import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { closeCodes, eventTypes } from '@relay/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentSocket } from '../../support/agent-socket.ts';
import { requireDocumented } from '../../support/api-reference.ts';
import { startTestDelivery, type TestDelivery } from '../../support/delivery.ts';
import { DocumentSchemas, entriesOf, memberAt } from '../../support/document-schemas.ts';
import { agentMessage, message, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();
const reference = new DocumentSchemas('asyncapi.json', '07');
let delivery: TestDelivery;

beforeAll(async () => {
  delivery = await startTestDelivery(relay.nats.url);
});

afterAll(() => delivery?.close());

const open = ({ token }: TestAgent, { url } = delivery) => AgentSocket.open({ url, token });
const problemWith = (name: string, value: unknown) =>
  reference.problemWith(value, 'components', 'messages', name, 'payload');

/** The status of an answer that opens no WebSocket, and that is as documented. */
async function openAgainstRules(query: string, token: string): Promise<number> {
  const url = new URL(delivery.url);
  url.protocol = 'http:';
  const response = await new Promise<Response>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      connection: 'upgrade',
      upgrade: 'websocket',
    };
    request(`${url.href}${query}`, { headers })
      .once('response', (incoming) => {
        const { statusCode: status = 0, headers } = incoming;
        const type = headers['content-type'] ?? '';
        const read = async () =>
          new Response(await text(incoming), { status, headers: { 'content-type': type } });
        read().then(resolve, reject);
      })
      .once('error', reject)
      .end();
  });
  requireDocumented('GET', url.pathname, response, await response.text());
  return response.status;
}

/** Everything that can be told of a task, asked for over HTTP. */
async function runTask(requester: TestAgent, callee: TestAgent): Promise<void> {
  const { client } = relay;
  const content = { to: callee.handle, message: message('one'), metadata: { key: [1, null] } };
  const created = await client.send('POST', '/v1/tasks', { token: requester.token, body: content });
  const { id: taskId } = created.body.task;
  const asCallee = (segment: string, body: unknown) =>
    client.send('POST', `/v1/tasks/${taskId}/${segment}`, { token: callee.token, body });
  const parts = [
    { text: 'two', mediaType: 'text/plain', metadata: { a: {} } },
    { data: null },
    { raw: 'eA==', mediaType: 'text/plain', filename: 'x' },
    { url: 'https://x.example/', mediaType: 'application/json' },
  ];
  const followUp = { to: callee.handle, message: message('two', { taskId, parts }) };
  await client.send('POST', '/v1/tasks', { token: requester.token, body: followUp });
  await asCallee('status', { state: 'WORKING', message: agentMessage('on it') });
  await asCallee('artifacts', { artifact: { artifactId: 'a', name: 'A', parts } });
  await client.send('POST', `/v1/tasks/${taskId}/cancel`, { token: requester.token });
}

describe('docs/asyncapi.json', () => {
  it('has the events and frames that agents get, as they get them', async () => {
    const [requester, callee] = [
      await relay.client.createAgent(),
      await relay.client.createAgent(),
    ];
    const stopping = await startTestDelivery(relay.nats.url);
    const [told, asked] = await Promise.all([open(requester, stopping), open(callee)]);
    await runTask(requester, callee);
    await Promise.all([told.untilEvents(3), asked.untilEvents(3)]);
    asked.send('{"type":"none"}');
    asked.acknowledge(99);
    asked.send({ type: 'full_sync_complete', through_sequence: '1' });
    await asked.ping();
    await relay.client.revokeTokens(callee);
    expect(await asked.closed).toBe(closeCodes.revoked);
    await stopping.close();
    expect(await told.closed).toBe(closeCodes.restart);
    const frames = [...told.frames, ...asked.frames];
    for (const frame of frames)
      expect([frame, problemWith(frame.type, frame)]).toEqual([frame, undefined]);
    const kinds = new Set(frames.map(({ type }) => type));
    expect(kinds).toEqual(new Set(['ready', 'event', 'pong', 'error', 'disconnect']));
    const events = frames.flatMap((frame) => (frame.type === 'event' ? [frame.event] : []));
    for (const event of events) expect(problemWith(event.event_type, event)).toBeUndefined();
    expect(new Set(events.map(({ event_type }) => event_type))).toEqual(
      new Set(eventTypes.filter((type) => type.startsWith('task.'))),
    );
  });

  it('goes with what docs/openapi.json says of a refused opening', async () => {
    const { token } = relay.worker;
    expect(await openAgainstRules('', '')).toBe(401);
    expect(await openAgainstRules('', 'admin-token')).toBe(403);
    expect(await openAgainstRules('?observe=maybe', token)).toBe(400);
  });

  it('has the frames that agents send, and takes no others for them', () => {
    expect(problemWith('ack', { type: 'ack', through_sequence: '7' })).toBeUndefined();
    expect(problemWith('ack', { type: 'ack', through_sequence: 7 })).toBeDefined();
    expect(problemWith('ping', { type: 'ping' })).toBeUndefined();
    expect(problemWith('ping', { type: 'ping', extra: 1 })).toBeDefined();
  });

  it('says what each close code means', () => {
    const meanings = memberAt(reference.document, 'channels', 'webSocket', 'x-close-codes');
    expect(entriesOf(meanings).map(([code]) => Number(code))).toEqual(Object.values(closeCodes));
  });

  it('has examples that are what it says', () => {
    const messages = memberAt(reference.document, 'components', 'messages');
    for (const [name, described] of entriesOf(messages)) {
      const examples = memberAt(described, 'examples');
      for (const example of Array.isArray(examples) ? examples : []) {
        expect([name, problemWith(name, memberAt(example, 'payload'))]).toEqual([name, undefined]);
      }
    }
  });
});
