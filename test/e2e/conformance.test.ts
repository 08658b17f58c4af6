import type { SendMessageResponse } from '@relay/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Allowances } from '../conformance/allowances.ts';
import { kits } from '../conformance/kits.ts';
import type { Outcome } from '../conformance/run-kit.ts';
import { type SystemUnderTest, startSystem } from '../conformance/system-under-test.ts';
import { judge } from '../conformance/verdict.ts';

describe('what the conformance kit for A2A 1.0 is run against', () => {
  let system: SystemUnderTest;

  beforeAll(async () => {
    system = await startSystem(kits['1.0'].system);
  });

  afterAll(() => system?.stop());

  async function send(messageId: string): Promise<SendMessageResponse> {
    const message = { messageId, role: 'ROLE_USER', parts: [{ text: 'As the kit sends it' }] };
    const response = await fetch(`${system.address}/message:send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: JSON.stringify({ message }),
    });
    const answer: SendMessageResponse = JSON.parse(await response.text());
    return answer;
  }

  const stateOf = (answer: SendMessageResponse) =>
    'task' in answer ? answer.task.status.state : undefined;

  it('has the card at the root, in the form of 1.0 alone, and leads back to itself', async () => {
    const response = await fetch(`${system.origin}/.well-known/agent-card.json`);
    const card: Record<string, unknown> = JSON.parse(await response.text());
    expect(card).toMatchObject({ supportedInterfaces: [{ url: system.address }, {}, {}, {}] });
    expect(card).not.toHaveProperty('protocolVersion');
  });

  it('takes the same messageId for a new message each time', async () => {
    const answers = [await send('tck-complete-task-1'), await send('tck-complete-task-1')];
    const ids = answers.map((answer) => ('task' in answer ? answer.task.id : ''));
    expect(new Set(ids).size).toBe(2);
  });

  it.each([
    ['tck-complete-task', 'TASK_STATE_COMPLETED'],
    ['tck-input-required', 'TASK_STATE_INPUT_REQUIRED'],
    ['tck-auth-required', 'TASK_STATE_AUTH_REQUIRED'],
    ['tck-reject-task', 'TASK_STATE_REJECTED'],
    ['tck-anything-else', 'TASK_STATE_COMPLETED'],
    ['of-the-kit-for-0.3', 'TASK_STATE_INPUT_REQUIRED'],
  ])('answers %s with %s', async (messageId, state) => {
    expect(stateOf(await send(`${messageId}-1`))).toBe(state);
  });

  it('goes by the longest beginning', async () => {
    const answer = await send('tck-artifact-file-url-1');
    expect(answer).toMatchObject({
      task: { artifacts: [{ parts: [{ url: 'https://example.com/output.txt' }] }] },
    });
  });

  it('answers with a Message alone where the kit wants one', async () => {
    expect(await send('tck-message-response-1')).toMatchObject({ message: { role: 'ROLE_AGENT' } });
  });
});

describe('a run of a conformance kit', () => {
  const allowances: Allowances = {
    failures: [{ test: 'test_known', reason: 'known' }],
    skips: [{ told: /^no gRPC$/, reason: 'there is none' }],
  };
  const passed: Outcome = { test: 'test_good', outcome: 'passed', reason: '' };
  const failed = (test: string): Outcome => ({ test, outcome: 'failed', reason: 'wrong' });
  const skipped = (reason: string): Outcome => ({ test: 'test_left', outcome: 'skipped', reason });

  it('is good where everything that failed or was skipped is allowed', () => {
    const outcomes = [passed, failed('test_known'), skipped('no gRPC')];
    const { isGood, text } = judge(outcomes, allowances);
    expect(isGood).toBe(true);
    expect(text).toContain('1 passed, 1 failed, 1 skipped; 0 not allowed');
  });

  it.each([
    ['another failure', [passed, failed('test_other')]],
    ['a skip for another reason', [passed, skipped('the task could not be made')]],
    ['nothing that passed', [failed('test_known')]],
  ])('is bad with %s', (_, outcomes) => {
    expect(judge(outcomes, allowances).isGood).toBe(false);
  });

  it('tells every skip with its reason, and allowances that nothing needs', () => {
    const { text } = judge([passed, skipped('no gRPC')], allowances);
    expect(text).toContain('skipped: no gRPC\n  allowed: there is none\n    test_left');
    expect(text).toContain('not needed any more: the allowance for test_known');
  });
});
