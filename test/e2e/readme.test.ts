import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestRelay } from '../support/relay.ts';

const run = promisify(execFile);

let relay: TestRelay;
beforeAll(async () => {
  relay = await TestRelay.start();
});
afterAll(() => relay?.stop());

/** The README's shell lines, against this relay and its data. */
async function readmeScript(): Promise<string> {
  const readme = await readFile(resolve(import.meta.dirname, '../../README.md'), 'utf8');
  const blocks = [...readme.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block]) => block);
  return blocks
    .join('\n')
    .replaceAll('http://127.0.0.1:8080', relay.url)
    .replaceAll('.relay/', join(relay.dataDir, '/'));
}

describe('the lines of the README', () => {
  it('work as pasted, one after the other', async () => {
    const script = await readmeScript();
    const commands = script.match(/^curl /gm)?.length ?? 0;
    const { stdout } = await run('bash', ['-euc', script.replaceAll(/^curl /gm, 'echo; curl ')]);
    const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
    expect(commands).toBeGreaterThan(3);
    expect(answers).toHaveLength(commands - 1);
    expect(stdout).toContain('TASK_STATE_COMPLETED');
    expect(stdout).toContain('data: {');
    expect(stdout).toContain('"token":"relay_agent_');
    expect(stdout).not.toContain('"error"');
  });
});
