import { expect, it } from 'vitest';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway();

it('the page that doc_url names is there for people, and nothing on it runs', async () => {
  const { token } = relay.worker;
  const { body } = await relay.client.send('GET', '/v1/webhook-events', { token });
  const url = new URL(body.doc_url);
  expect(url.origin).toBe(relay.gateway.url);
  const page = await relay.client.send('GET', url.pathname);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = page.headers.get('content-security-policy');
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^;]+'; img-src 'none';/);
  for (const type of body.events) expect(page.text).toContain(`<h3>${type}</h3>`);
  expect(page.text).not.toMatch(/<script| on\w+=/);
});

it('the references that the page links to are there', async () => {
  const page = await relay.client.send('GET', '/docs/events');
  const links = [...page.text.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
  expect(links.toSorted()).toEqual(['/asyncapi.json', '/openapi.json']);
  for (const link of links) expect((await relay.client.send('GET', link)).status).toBe(200);
});
