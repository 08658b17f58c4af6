import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { renderBanner } from './banner.ts';
import { loadOrCreateCredentials } from './credentials.ts';

const url = 'http://127.0.0.1:8080';

it('prints a command that works as pasted, whatever the directory is called', () => {
  const base = mkdtempSync(join(tmpdir(), 'relay-test-'));
  const dataDir = join(base, "it's a $HOME `dir`");
  mkdirSync(dataDir);
  const credentials = loadOrCreateCredentials({ dataDir, url });
  const banner = renderBanner({ url, dataDir, demo: true });
  const command = banner.slice(banner.indexOf('curl'));
  writeFileSync(join(base, 'curl'), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });

  const printed = execFileSync('bash', ['-c', command], {
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: `${base}:/usr/bin:/bin` },
    encoding: 'utf8',
  }).split('\n');
  rmSync(base, { recursive: true });

  expect(printed).toContain(`Authorization: Bearer ${credentials.agents.planner}`);
  expect(printed).toContain(`${url}/translator`);
  expect(banner).not.toContain('relay_agent_');
});

it('has no command without the demo agents', () => {
  expect(renderBanner({ url, dataDir: '/data', demo: false })).not.toContain('curl');
});
