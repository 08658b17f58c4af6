import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freePort, runRelay, TestRelay } from '../support/relay.ts';

const run = promisify(execFile);
const taskListSchema = z.object({ tasks: z.array(z.object({ id: z.string() })) });

describe('a first start', () => {
  let relay: TestRelay;
  beforeAll(async () => {
    relay = await TestRelay.start();
  });
  afterAll(() => relay?.stop());

  it('prints a curl line that works as pasted and holds no token', async () => {
    const line = relay.output.match(/^\s*(curl (?:.*\\\n)*.*)$/m)?.[1] ?? '';
    const { admin_token, agents } = await relay.credentials();
    for (const token of [admin_token, ...Object.values(agents)]) {
      expect(relay.output).not.toContain(token);
    }
    const { stdout } = await run('bash', ['-c', line], { cwd: '/' });
    expect(JSON.parse(stdout)).toMatchObject({
      result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } },
    });
  });

  it('keeps its credentials to itself', async () => {
    const { mode } = await stat(join(relay.dataDir, 'credentials.json'));
    expect(mode & 0o777).toBe(0o600);
  });

  it('keeps a second relay off its data', async () => {
    const { code, output } = await runRelay({
      RELAY_DATA_DIR: relay.dataDir,
      RELAY_PORT: String(await freePort()),
    });
    expect(code).not.toBe(0);
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(output).toContain(relay.dataDir);
  });
});

describe('a start that cannot be', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'relay-e2e-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const oneLine = async (environment: Record<string, string>) => {
    const { code, output } = await runRelay(environment);
    expect(code).not.toBe(0);
    expect(output.trim().split('\n')).toHaveLength(1);
    return output;
  };

  it('says that the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? String(address.port) : '';
    expect(await oneLine({ RELAY_DATA_DIR: dataDir, RELAY_PORT: port })).toContain(port);
    server.close();
  });

  it('says that the data directory cannot be used', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    const output = await oneLine({ RELAY_DATA_DIR: join(file, 'data'), RELAY_PORT: '0' });
    expect(output).toContain(join(file, 'data'));
  });

  it('says that NATS is not there', async () => {
    const port = await freePort();
    const output = await oneLine({
      RELAY_DATA_DIR: dataDir,
      RELAY_PORT: '0',
      RELAY_NATS_URL: `nats://127.0.0.1:${port}`,
      RELAY_REDIS_URL: `redis://127.0.0.1:${port}`,
    });
    expect(output).toMatch(/NATS/);
  });

  it('names a setting that it does not know', async () => {
    expect(await oneLine({ RELAY_DATA_DIR: dataDir, RELAY_PROT: '1' })).toContain('RELAY_PROT');
  });
});

describe('a second start', () => {
  it('finds all data again, after a stop and after SIGKILL', async () => {
    const relay = await TestRelay.start();
    const before = await relay.credentials();
    const ask = async () => {
      const { agents } = await relay.credentials();
      const response = await fetch(`${relay.url}/v1/tasks?role=requester`, {
        headers: { authorization: `Bearer ${agents.planner}` },
      });
      return taskListSchema.parse(await response.json()).tasks.map(({ id }) => id);
    };
    await run('bash', ['-c', relay.output.match(/^\s*(curl (?:.*\\\n)*.*)$/m)?.[1] ?? '']);
    const tasks = await ask();
    expect(tasks).toHaveLength(1);
    await relay.kill();
    await relay.restart();
    expect(await ask()).toEqual(tasks);
    expect(await relay.credentials()).toEqual(before);
    await relay.stop();
  });
});
