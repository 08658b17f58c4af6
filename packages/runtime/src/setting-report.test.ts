import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loadConfig } from './config.ts';
import { reportSettings } from './setting-report.ts';
import { environmentName, settings } from './settings.ts';

const reportOf = (environment: NodeJS.ProcessEnv, name: string) =>
  reportSettings(environment).find((setting) => setting.name === name);

it('tells every setting, its value, and where that comes from', () => {
  const reports = reportSettings({ RELAY_PORT: '9000', RELAY_LOG_LEVEL: 'loud' });
  expect(reports.map(({ name }) => name)).toEqual(Object.keys(settings.shape).map(environmentName));
  for (const { description } of reports) expect(description).not.toBe('');
  const environment = { RELAY_PORT: '9000', RELAY_LOG_LEVEL: 'loud', RELAY_HOST: '' };
  expect(reportOf(environment, 'RELAY_PORT')).toMatchObject({
    value: '9000',
    source: 'environment',
  });
  expect(reportOf(environment, 'RELAY_HOST')).toMatchObject({
    value: '127.0.0.1',
    source: 'default',
  });
  expect(reportOf(environment, 'RELAY_LOG_LEVEL')).toMatchObject({ value: 'loud' });
  expect(reportOf(environment, 'RELAY_NATS_URL')).toMatchObject({ value: null, source: 'unset' });
});

it('shows no secret, wherever it comes from', () => {
  const directory = mkdtempSync(join(tmpdir(), 'relay-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'token');
  writeFileSync(file, 'canary-1\n');
  const environment = {
    RELAY_ADMIN_TOKEN_FILE: file,
    RELAY_SECRET_KEY: 'canary-2',
    RELAY_CARD_SIGNING_KEY: 'canary-3',
    RELAY_NATS_URL: 'nats://user:canary-4@one:4222,nats://canary-5@two:4222',
    RELAY_REDIS_URL: 'rediss://:canary-6@three/0',
  };
  expect(JSON.stringify(reportSettings(environment))).not.toContain('canary');
  expect(reportOf(environment, 'RELAY_ADMIN_TOKEN')?.source).toBe('file');
  expect(reportOf(environment, 'RELAY_NATS_URL')?.value).toBe(
    'nats://[secret]@one:4222,nats://[secret]@two:4222',
  );
});

it('what clients read is no wrong setting of a relay', () => {
  expect(loadConfig({ RELAY_TOKEN: 'relay_agent_x', RELAY_URL: 'http://relay' }).port).toBe(8080);
});
