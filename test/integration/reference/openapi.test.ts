import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, describe, expect, it } from 'vitest';
import { type DocumentedOperation, documentedOperations } from '../../support/api-reference.ts';
import { adminToken } from '../../support/gateway.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { operationCalls } from '../../support/operation-calls.ts';
import { collectRegisteredRoutes } from '../../support/registered-routes.ts';

const registered = collectRegisteredRoutes();
const relay = useGateway();

afterAll(() => registered.stop());

const isUpgrade = ({ statuses }: DocumentedOperation) => statuses.includes(101);
const isCall = (operation: DocumentedOperation) => !isUpgrade(operation);

describe('the API reference', () => {
  it('has every route that the router has, and no other', () => {
    const answered = [...registered.routes]
      .filter((route) => !route.startsWith('HEAD '))
      .map((route) => route.replace(/(?<!:):(\w+)(?:\([^)]*\))?/g, '{$1}').replaceAll('::', ':'));
    const documented = documentedOperations()
      .filter(isCall)
      .map(({ method, path }) => `${method} ${path}`);
    expect(documented.toSorted()).toEqual(answered.toSorted());
  });

  it('has upgrades where they are passed on', async () => {
    const upgrades = documentedOperations().filter(isUpgrade);
    expect(upgrades.map(({ path }) => path)).toEqual(['/v1/websocket']);
    for (const { path } of upgrades) expect(await statusOfUpgrade(path)).toBe(418);
  });
});

describe('each operation', () => {
  it('answers as documented when it is done', async () => {
    const done: [id: string, status: number][] = [];
    for (const [id, call] of Object.entries(operationCalls(relay))) {
      const { status } = await call();
      done.push([id, status]);
    }
    const expected = documentedOperations()
      .filter(isCall)
      .map(({ id, statuses: [first] }) => [id, first]);
    expect(Object.fromEntries(done)).toEqual(Object.fromEntries(expected));
  });

  it.each([
    { status: 401, why: 'without a token', tokenOf: () => undefined },
    // At an address that is 401.
    { status: 403, why: 'with a token that is not for it', tokenOf: otherToken, below: '/v1/' },
    { status: 415, why: 'with a body that is not JSON', tokenOf: goodToken, type: 'text/plain' },
  ])(
    'answers $status $why where that is documented',
    async ({ status, tokenOf, type, below = '/' }) => {
      const refused = documentedOperations()
        .filter(isCall)
        .filter(({ path, statuses }) => path.startsWith(below) && statuses.includes(status));
      expect(refused.length).toBeGreaterThan(0);
      for (const { method, path } of refused) {
        const answer = await relay.client.send(method, withNames(path), {
          token: tokenOf(path),
          ...(method === 'GET' ? {} : { body: '{}' }),
          headers: { 'content-type': type ?? 'application/json' },
        });
        expect([method, path, answer.status]).toEqual([method, path, status]);
      }
    },
  );
});

const isForAdministrator = (path: string) =>
  /^\/v1\/(agents|owners|stuck-messages|secrets)/.test(path);

function goodToken(path: string): string {
  return isForAdministrator(path) ? adminToken : relay.planner.token;
}

function otherToken(path: string): string {
  return isForAdministrator(path) ? relay.planner.token : adminToken;
}

function withNames(path: string): string {
  return path.replace('{handle}', relay.worker.handle).replace(/\{\w+\}/, randomUUID());
}

function statusOfUpgrade(path: string): Promise<number | undefined> {
  const headers = { connection: 'upgrade', upgrade: 'websocket' };
  return new Promise((resolve, reject) => {
    request(`${relay.gateway.url}${path}`, { headers })
      .once('response', ({ statusCode }) => resolve(statusCode))
      .once('error', reject)
      .end();
  });
}
