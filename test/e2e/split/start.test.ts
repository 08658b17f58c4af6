import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { createSecretKeyText } from '@relay/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminToken } from '../../support/gateway.ts';
import { freePort } from '../../support/relay.ts';
import { startNats, type TestServer } from '../../support/servers.ts';
import { runService, type ServiceName, ServiceProcess } from '../../support/service-process.ts';

let nats: TestServer;
let nowhere: string;
let settings: Record<string, string>;

beforeAll(async () => {
  nats = await startNats();
  nowhere = `127.0.0.1:${await freePort()}`;
  settings = {
    RELAY_NATS_URL: nats.url,
    RELAY_REDIS_URL: `redis://${nowhere}`,
    RELAY_ADMIN_TOKEN: adminToken,
    RELAY_SECRET_KEY: createSecretKeyText(),
    RELAY_DELIVERY_URL: `http://${nowhere}`,
    RELAY_PORT: '0',
  };
});
afterAll(() => nats?.stop());

const needed = {
  gateway: ['RELAY_NATS_URL', 'RELAY_REDIS_URL', 'RELAY_ADMIN_TOKEN', 'RELAY_DELIVERY_URL'],
  'task-manager': ['RELAY_NATS_URL', 'RELAY_REDIS_URL'],
  delivery: ['RELAY_NATS_URL', 'RELAY_ADMIN_TOKEN', 'RELAY_SECRET_KEY'],
} as const;
const names = ['gateway', 'task-manager', 'delivery'] as const;

/** What each service says that does not start. */
async function refusals(environment: Record<string, string>): Promise<[ServiceName, string][]> {
  return Promise.all(
    names.map(async (name): Promise<[ServiceName, string]> => {
      const { code, output } = await runService(name, environment);
      expect([name, code]).toEqual([name, 1]);
      return [name, output];
    }),
  );
}

describe('a service that starts alone', () => {
  it('names each setting that it cannot do without, those that hold secrets among them', async () => {
    for (const [name, output] of await refusals({})) {
      const lines = needed[name].map((setting) => `relay: ${setting} is required\n`);
      expect(output).toBe(lines.join(''));
    }
  });

  it('says in a line that NATS is not there', async () => {
    const away = { ...settings, RELAY_NATS_URL: `nats://${nowhere}` };
    for (const [, output] of await refusals(away)) {
      expect(output).toMatch(/^relay: NATS cannot be used: .+\n$/);
    }
  });

  it('starts where Redis is not there, degraded if it uses it', async () => {
    const start = async (name: ServiceName) => {
      const service = new ServiceProcess(name, await freePort(), settings);
      await service.restart();
      const answer = await fetch(`${service.url}/readyz`);
      await service.stop();
      return [answer.status, await answer.json()];
    };
    expect(await Promise.all(names.map(start))).toEqual([
      [200, { status: 'degraded' }],
      [200, { status: 'degraded' }],
      [200, { status: 'ready' }],
    ]);
  });

  it('says in a line that a stream on NATS is not as Relay needs it, and how', async () => {
    const connection = await connect({ servers: nats.url });
    const { streams } = await jetstreamManager(connection);
    const { config } = await streams.info('TASKS');
    await streams.delete('TASKS');
    await streams.add({ ...config, max_msgs_per_subject: 1 });
    await connection.close();
    for (const [, output] of await refusals(settings)) {
      expect(output).toBe(
        'relay: NATS cannot be used: The stream TASKS on NATS is not configured as Relay needs it: ' +
          'max_msgs_per_subject.\n',
      );
    }
  });
});
