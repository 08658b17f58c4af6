import {
  type Artifact,
  type Message,
  type Task,
  type TaskState,
  type TaskStatus,
  taskIdSchema,
  timestampAt,
} from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { assemble, isFinal } from './task-assembly.ts';

const id = taskIdSchema.parse('0192d3a4-7d60-4f5e-8b1a-3c2d1e0f9a8b');
const asked: Message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Translate it' }] };
const said: Message = { messageId: 'm2', role: 'ROLE_AGENT', parts: [{ text: 'Working' }] };
const submitted: Task = {
  id,
  contextId: 'c1',
  status: { state: 'TASK_STATE_SUBMITTED', timestamp: timestampAt(0) },
  history: [asked],
};

function statusUpdate(state: TaskState, message?: Message) {
  const status: TaskStatus = { state, message, timestamp: timestampAt(1) };
  return { statusUpdate: { taskId: id, contextId: 'c1', status } };
}

function artifactUpdate(artifact: Artifact) {
  return { artifactUpdate: { taskId: id, contextId: 'c1', artifact, lastChunk: true } } as const;
}

describe('assemble', () => {
  it('begins with the Task, and again with each Task that comes', () => {
    expect(assemble(undefined, { task: submitted })).toBe(submitted);
    const later = { ...submitted, contextId: 'c2' };
    expect(assemble(submitted, { task: later })).toBe(later);
  });

  it('takes a status, and its message into the history, once', () => {
    const update = statusUpdate('TASK_STATE_WORKING', said);
    const task = assemble(assemble(submitted, update), update);
    expect(task?.status.state).toBe('TASK_STATE_WORKING');
    expect(task?.history).toEqual([asked, said]);
  });

  it('adds artifacts, and replaces one that comes again', () => {
    const first = { artifactId: 'a1', parts: [{ text: 'bon' }] };
    const better = { artifactId: 'a1', parts: [{ text: 'bonjour' }] };
    const second = { artifactId: 'a2', parts: [{ text: 'salut' }] };
    const task = [first, second, better].map(artifactUpdate).reduce(assemble, submitted);
    expect(task?.artifacts).toEqual([better, second]);
  });

  it('knows no Task before one came, and leaves it alone for a message', () => {
    expect(assemble(undefined, statusUpdate('TASK_STATE_WORKING'))).toBeUndefined();
    expect(assemble(submitted, { message: said })).toBe(submitted);
  });
});

describe('isFinal', () => {
  it.each<[TaskState, boolean]>([
    ['TASK_STATE_SUBMITTED', false],
    ['TASK_STATE_WORKING', false],
    ['TASK_STATE_INPUT_REQUIRED', false],
    ['TASK_STATE_AUTH_REQUIRED', false],
    ['TASK_STATE_COMPLETED', true],
    ['TASK_STATE_FAILED', true],
    ['TASK_STATE_REJECTED', true],
    ['TASK_STATE_CANCELED', true],
  ])('%s: %s', (state, expected) => {
    expect(isFinal(state)).toBe(expected);
  });
});
