import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { credentialsPath, loadOrCreateCredentials } from './credentials.ts';

const url = 'http://127.0.0.1:8080';
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'relay-test-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

it('makes tokens of the documented form, in a file that only its owner reads', () => {
  const credentials = loadOrCreateCredentials({ dataDir, url });
  expect(credentials).toEqual({
    url,
    admin_token: expect.stringMatching(/^relay_admin_[0-9A-Za-z]{49}$/),
    agents: {
      planner: expect.stringMatching(/^relay_agent_[0-9A-Za-z]{49}$/),
      translator: expect.stringMatching(/^relay_agent_[0-9A-Za-z]{49}$/),
      concierge: expect.stringMatching(/^relay_agent_[0-9A-Za-z]{49}$/),
    },
  });
  expect(JSON.parse(readFileSync(credentialsPath(dataDir), 'utf8'))).toEqual(credentials);
  expect(statSync(credentialsPath(dataDir)).mode & 0o777).toBe(0o600);
  expect(readdirSync(dataDir)).toEqual(['credentials.json']);
});

it('keeps the tokens of an existing file and tells the new address', () => {
  const first = loadOrCreateCredentials({ dataDir, url });
  const second = loadOrCreateCredentials({ dataDir, url: 'https://relay.example' });
  expect(second).toEqual({ ...first, url: 'https://relay.example' });
});

it('makes new tokens when the file is gone', () => {
  const first = loadOrCreateCredentials({ dataDir, url });
  rmSync(credentialsPath(dataDir));
  const second = loadOrCreateCredentials({ dataDir, url });
  expect(second.admin_token).not.toBe(first.admin_token);
  expect(second.agents.planner).not.toBe(first.agents.planner);
});

it("takes the operator's own admin token", () => {
  expect(loadOrCreateCredentials({ dataDir, url, adminToken: 'chosen' }).admin_token).toBe(
    'chosen',
  );
});

it('refuses a file that is not credentials, and leaves it alone', () => {
  writeFileSync(credentialsPath(dataDir), '{"url":');
  expect(() => loadOrCreateCredentials({ dataDir, url })).toThrow('remove it to get new tokens');
  expect(readFileSync(credentialsPath(dataDir), 'utf8')).toBe('{"url":');
});
