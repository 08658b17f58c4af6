import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestRelay } from '../support/relay.ts';
import { pasteLines } from '../support/shell-lines.ts';

let relay: TestRelay;
beforeAll(async () => {
  relay = await TestRelay.start();
});
afterAll(() => relay?.stop());

/** The JSON in what was printed: answers, and the data of events. */
function readPrinted(stdout: string): unknown[] {
  return [...stdout.matchAll(/^(?:data: )?(\{.*)$/gm)].map(([, json = '']): unknown =>
    JSON.parse(json),
  );
}

const status = (state: string) => ({ status: { state } });

it('the lines of docs/dialects.md work as pasted, one after the other', async () => {
  const { curls, stdout } = await pasteLines('docs/dialects.md', relay);
  expect(curls).toBe(9);
  const printed = readPrinted(stdout);
  expect(printed.slice(0, 4)).toMatchObject([
    { name: expect.any(String), authentication: { schemes: ['Bearer'] } },
    { id: '1', result: { id: 'task-001', ...status('input-required') } },
    { id: '2', result: { id: 'task-001', ...status('completed') } },
    {
      id: '3',
      result: {
        id: 'task-001',
        history: expect.arrayContaining([
          { role: 'user', parts: [{ type: 'text', text: 'French' }] },
        ]),
      },
    },
  ]);
  const events = printed.slice(4, -4);
  expect(events[0]).toMatchObject({ id: '4', result: { id: 'task-002', final: false } });
  expect(events.at(-1)).toMatchObject({ result: { ...status('completed'), final: true } });
  const url = 'https://receiver.example/hook';
  expect(printed.slice(-4)).toMatchObject([
    {
      result: { id: 'task-002', pushNotificationConfig: { url, events: ['completed', 'failed'] } },
    },
    { task: status('TASK_STATE_COMPLETED') },
    { tasks: [{}], pageSize: 1 },
    { taskId: expect.any(String), id: expect.any(String), url },
  ]);
});
