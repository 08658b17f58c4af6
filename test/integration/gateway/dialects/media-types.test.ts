import { beforeAll, describe, expect, it } from 'vitest';
import { atOnce, message, type TestAgent } from '../../../support/gateway-client.ts';
import { useGateway } from '../../../support/gateway-fixture.ts';

const relay = useGateway();

const picture = { raw: 'eA==', filename: 'x.png', mediaType: 'image/png' };

let painter: TestAgent;

beforeAll(async () => {
  painter = await relay.client.createAgent({
    input_modes: ['image/png', 'Audio/*', 'application/x-sheet+json', 'text/markdown'],
  });
});

const send = (part: object, to = painter) =>
  relay.client.rpc({
    from: relay.planner,
    to,
    method: 'SendMessage',
    params: { message: message('', { parts: [part] }), configuration: atOnce },
  });

describe('an agent that declares media types', () => {
  it.each([
    picture,
    { url: 'https://x.example/x.png', mediaType: 'IMAGE/PNG; q=1' },
    { url: 'https://x.example/x.mp3', mediaType: 'audio/mpeg' },
    { data: { a: 1 }, mediaType: 'application/x-sheet+json' },
    { text: '# x', mediaType: 'text/markdown' },
    { text: 'x' },
  ])('gets %j', async (part) => {
    const { body } = await send(part);
    expect(body.result.task.history?.[0]?.parts).toEqual([part]);
  });

  it.each([
    { raw: 'eA==', mediaType: 'image/jpeg' },
    { raw: 'eA==' },
    { url: 'https://x.example/x', mediaType: 'video/mp4' },
    { text: 'x', mediaType: 'text/html' },
  ])('does not get %j', async (part) => {
    expect((await send(part)).body.error.code).toBe(-32005);
  });

  it('gets them in every version, and by REST', async () => {
    const { token } = relay.planner;
    const file = { bytes: picture.raw, name: picture.filename, mimeType: picture.mediaType };
    const v03 = { role: 'user', parts: [{ kind: 'file', file }] };
    const sent = await relay.client.rpc({
      from: relay.planner,
      to: painter,
      method: 'message/send',
      params: { message: v03, configuration: { blocking: false } },
    });
    const found = await relay.client.send('GET', `/v1/tasks/${sent.body.result.id}`, { token });
    expect(found.body.task.history?.[0]?.parts).toEqual([picture]);
    const body = { to: painter.handle, message: message('', { parts: [picture] }) };
    expect((await relay.client.send('POST', '/v1/tasks', { token, body })).status).toBe(200);
  });

  it('is alone with that', async () => {
    expect((await send(picture, relay.worker)).body.error.code).toBe(-32005);
  });

  it.each(['png', 'image/', '*/*', 'image/png; q=1', 'a/b/c'])(
    'cannot declare %j',
    async (mode) => {
      await expect(relay.client.createAgent({ input_modes: [mode] })).rejects.toThrow('media type');
    },
  );
});
