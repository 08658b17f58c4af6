import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeRelay } from '../test-support/fake-relay.ts';
import { HttpClient } from './http-client.ts';

let relay: FakeRelay;
let http: HttpClient;

beforeEach(async () => {
  relay = await FakeRelay.start();
  http = new HttpClient({ origin: relay.url, token: 'secret' });
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await relay.stop();
});

describe('HttpClient', () => {
  it.each([
    ['does not answer', () => undefined],
    ['stops in the middle of its answer', (_request, response) => void response.write('{"a":')],
  ] satisfies [string, FakeRelay['respond']][])(
    'gives up on a Relay that %s',
    async (_what, respond) => {
      relay.respond = respond;
      const answer = http.json({ method: 'GET', path: '/v1/me', timeout: 100 });
      await expect(answer).rejects.toMatchObject({
        name: 'RelayRequestError',
        status: undefined,
        cause: { message: 'Nothing came for 100 ms.' },
      });
      // A try may end before it has reached a busy server, so not each one is seen there.
      expect(relay.requests.length).toBeGreaterThan(1);
      expect(relay.requests.length).toBeLessThanOrEqual(5);
    },
  );

  it('does not take a page for an answer', async () => {
    relay.respond = (_request, response) => response.end('<h1>Welcome</h1>');
    await expect(http.json({ method: 'GET', path: '/v1/me' })).rejects.toMatchObject({
      message: 'Relay answered what is not JSON.',
      status: 200,
    });
  });
});
