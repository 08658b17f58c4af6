import { timestampAt } from '@relay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { taskCommands, testContact } from '../../../test/support/task-commands.ts';
import {
  decide,
  eventsOf,
  evolve,
  isAnswered,
  isFinal,
  type TaskCommand,
  type TaskSnapshot,
  toRecordedChange,
  viewAnswer,
} from './index.ts';

const { taskId, contextId, requester, callee, submit, followUp, ...commands } = taskCommands();
const { status, artifact, reply, cancel } = commands;
const strangerId = testContact('stranger').id;

/** The task after these commands, each of which must change it. */
function after(...commands: TaskCommand[]): TaskSnapshot {
  const last = commands.reduce<TaskSnapshot | undefined>((snapshot, command) => {
    const decision = decide(snapshot, command);
    if (decision.type !== 'change') throw new Error(`${command.type}: ${JSON.stringify(decision)}`);
    return evolve(snapshot, decision.change);
  }, undefined);
  if (!last) throw new Error('no commands');
  return last;
}

function refusalOf(snapshot: TaskSnapshot | undefined, command: TaskCommand) {
  const decision = decide(snapshot, command);
  return decision.type === 'refusal' ? decision.refusal.error : decision.type;
}

describe('a task', () => {
  it('begins SUBMITTED with the message, the metadata of the caller and who asks', () => {
    const command = { ...submit(), metadata: { colour: 'blue' } };
    const { task, revision } = after(command);
    expect(revision).toBe(1);
    expect(task).toEqual({
      id: taskId,
      contextId,
      status: { state: 'TASK_STATE_SUBMITTED', timestamp: command.at },
      history: [{ ...command.message, taskId, contextId }],
      metadata: { colour: 'blue', relay: { requester } },
    });
  });

  it('is not begun for an agent that takes none, but a retry finds it whatever holds by now', () => {
    expect(refusalOf(undefined, { ...submit(), calleeAcceptsTasks: false })).toBe(
      'tasksNotAccepted',
    );
    expect(decide(after(submit()), { ...submit(), calleeAcceptsTasks: false })).toEqual({
      type: 'repeat',
      revision: 1,
    });
  });

  it('that its requester named takes another message under the same id as more on it', () => {
    const another = { ...submit(), message: { ...submit().message, messageId: 'another' } };
    const task = after(submit(), another);
    expect(task.task.history?.map(({ messageId }) => messageId)).toEqual([
      submit().message.messageId,
      'another',
    ]);
    expect(decide(task, another)).toEqual({ type: 'repeat', revision: 2 });
    expect(decide(task, submit())).toEqual({ type: 'repeat', revision: 1 });
    const late = { ...submit(), message: { ...submit().message, messageId: 'late' } };
    expect(refusalOf(after(submit(), status('COMPLETED')), late)).toBe('taskFinished');
    const elsewhere = { ...late, message: { ...late.message, contextId: 'elsewhere' } };
    expect(refusalOf(task, elsewhere)).toBe('contextMismatch');
  });

  it('takes in the same follow-up once, also when it is finished by then', () => {
    const open = after(submit(), followUp('second'));
    expect(decide(open, followUp('second'))).toEqual({ type: 'repeat', revision: 2 });
    const done = after(submit(), followUp('second'), status('COMPLETED'));
    expect(decide(done, followUp('second'))).toEqual({ type: 'repeat', revision: 2 });
    expect(refusalOf(done, followUp('third'))).toBe('taskFinished');
  });

  it('takes in the creating message again as what it was', () => {
    expect(decide(after(submit()), followUp('first'))).toEqual({
      type: 'repeat',
      revision: 1,
    });
  });

  it('refuses a follow-up from another context', () => {
    const { message, ...command } = followUp('second');
    const inContext = (contextId: string) => ({ ...command, message: { ...message, contextId } });
    expect(refusalOf(after(submit()), inContext('other'))).toBe('contextMismatch');
    expect(refusalOf(after(submit()), inContext(contextId))).toBe('change');
  });

  it('does not exist for anybody else', () => {
    const task = after(submit());
    expect(refusalOf(undefined, cancel())).toBe('taskNotFound');
    for (const command of [
      { ...cancel(), requesterId: strangerId },
      { ...cancel(), calleeId: strangerId },
      { ...reply('r'), calleeId: strangerId },
    ]) {
      expect(refusalOf(task, command)).toBe('taskNotFound');
    }
  });

  it('is canceled once: again is no change, and no other end is taken back', () => {
    const canceled = after(submit(), cancel());
    expect(canceled.task.status.state).toBe('TASK_STATE_CANCELED');
    expect(refusalOf(canceled, cancel())).toBe('repeat');
    expect(refusalOf(after(submit(), status('COMPLETED')), cancel())).toBe('taskNotCancelable');
    expect(refusalOf(canceled, status('COMPLETED'))).toBe('taskFinished');
    expect(refusalOf(canceled, reply('late'))).toBe('taskFinished');
  });

  it('keeps status messages in its history and the same state again as a change', () => {
    const { task } = after(submit(), status('WORKING', 'one'), status('WORKING', 'two'));
    const texts = task.history?.map(({ parts }) => parts);
    expect(texts).toEqual([[{ text: 'hello' }], [{ text: 'one' }], [{ text: 'two' }]]);
    expect(task.status.message).toMatchObject({ parts: [{ text: 'two' }], taskId, contextId });
  });

  it('takes an artifact whole, once', () => {
    const task = after(submit(), artifact('a', 'text'));
    expect(refusalOf(task, artifact('a', 'text'))).toBe('repeat');
    expect(refusalOf(task, artifact('a', 'other'))).toBe('artifactTaken');
    const done = after(submit(), artifact('a', 'text'), status('COMPLETED'));
    expect(refusalOf(done, artifact('a', 'text'))).toBe('repeat');
    expect(refusalOf(done, artifact('b', 'text'))).toBe('taskFinished');
  });

  it('is answered by a message only as its first answer', () => {
    const answer = reply('answer');
    const replied = after(submit(), answer);
    expect(replied.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(viewAnswer(replied, 1)).toEqual({ message: { ...answer.message, contextId } });
    expect(refusalOf(replied, reply('again'))).toBe('taskAnswered');
    expect(refusalOf(after(submit(), status('WORKING')), reply('late'))).toBe('taskAnswered');
    expect(refusalOf(after(submit(), artifact('a', 'x')), reply('late'))).toBe('taskAnswered');
  });
});

describe('a blocking call', () => {
  it('has its answer when the task is final or waits for the requester', () => {
    expect(isAnswered(after(submit()), 1)).toBe(false);
    expect(isAnswered(after(submit(), status('WORKING')), 1)).toBe(false);
    expect(isAnswered(after(submit(), status('INPUT_REQUIRED')), 1)).toBe(true);
    expect(isAnswered(after(submit(), status('COMPLETED')), 1)).toBe(true);
  });

  it('of a follow-up waits for the next question, not for the one it answers', () => {
    const asked = [submit(), status('INPUT_REQUIRED'), followUp('second')] as const;
    expect(isAnswered(after(...asked), 3)).toBe(false);
    expect(isAnswered(after(...asked, status('INPUT_REQUIRED')), 3)).toBe(true);
  });
});

describe('events', () => {
  const typesAfter = (...commands: TaskCommand[]) => {
    const before = commands.length > 1 ? after(...commands.slice(0, -1)) : undefined;
    const command = commands.at(-1);
    const decision = command && decide(before, command);
    if (decision?.type !== 'change') throw new Error('no change');
    const snapshot = evolve(before, decision.change);
    return eventsOf(toRecordedChange(decision.change), snapshot).map(({ event_type, agent_id }) => [
      event_type,
      agent_id,
    ]);
  };

  it('go to the agent that must know', () => {
    expect(typesAfter(submit())).toEqual([['task.created', callee.id]]);
    expect(typesAfter(submit(), followUp('second'))).toEqual([['task.message', callee.id]]);
    expect(typesAfter(submit(), status('WORKING'))).toEqual([['task.updated', requester.id]]);
    expect(typesAfter(submit(), artifact('a', 'x'))).toEqual([['task.updated', requester.id]]);
    expect(typesAfter(submit(), reply('r'))).toEqual([['task.updated', requester.id]]);
    expect(typesAfter(submit(), cancel())).toEqual([
      ['task.canceled', callee.id],
      ['task.updated', requester.id],
    ]);
  });
});

/** Makes a new command each time, as each has an id of its own. */
const anyCommand: fc.Arbitrary<() => TaskCommand> = fc.oneof(
  fc.constantFrom<(() => TaskCommand)[]>(submit, cancel, () => reply('r')),
  fc.constantFrom('m1', 'm2', 'm3', 'first').map((id) => () => followUp(id)),
  fc
    .constantFrom('WORKING' as const, 'INPUT_REQUIRED' as const)
    .map((state) => () => status(state)),
  fc.constant(() => status('COMPLETED', 'done')),
  fc.tuple(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y')).map(
    ([id, text]) =>
      () =>
        artifact(id, text),
  ),
);

describe('any sequence of commands', () => {
  it('keeps the rules of a task', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyCommand, fc.nat(1000)), { maxLength: 40 }), (steps) => {
        let snapshot: TaskSnapshot | undefined;
        for (const [make, at] of steps) {
          const given = { ...make(), at: timestampAt(at) };
          const decision = decide(snapshot, given);
          if (decision.type !== 'change') continue;
          const before = snapshot;
          expect(before && isFinal(before.task.status.state)).not.toBe(true);
          snapshot = evolve(before, decision.change);
          expect(snapshot.revision).toBe((before?.revision ?? 0) + 1);
          expect(snapshot.updatedAt >= (before?.updatedAt ?? '')).toBe(true);
          expect(snapshot.recentChanges.length).toBeLessThanOrEqual(16);
          expect(decide(snapshot, given)).toEqual({ type: 'repeat', revision: snapshot.revision });
        }
      }),
    );
  });
});
