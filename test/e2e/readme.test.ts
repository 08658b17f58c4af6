import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestRelay } from '../support/relay.ts';
import { pasteLines } from '../support/shell-lines.ts';

let relay: TestRelay;
beforeAll(async () => {
  relay = await TestRelay.start();
});
afterAll(() => relay?.stop());

it('the lines of the README work as pasted, one after the other', async () => {
  const { curls, stdout } = await pasteLines('README.md', relay);
  const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
  expect(curls).toBeGreaterThan(3);
  expect(answers).toHaveLength(curls - 1);
  expect(stdout).toContain('TASK_STATE_COMPLETED');
  expect(stdout).toContain('data: {');
  expect(stdout).toContain('"token":"relay_agent_');
  expect(stdout).not.toContain('"error"');
});
