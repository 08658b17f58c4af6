import {
  agentIdSchema,
  type ContactCard,
  changeIdSchema,
  handleSchema,
  type Message,
  taskIdSchema,
  timestampAt,
  traceIdSchema,
} from '@relay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const requesterId = agentIdSchema.parse(uuid(1));
const calleeId = agentIdSchema.parse(uuid(2));
const strangerId = agentIdSchema.parse(uuid(3));
const taskId = taskIdSchema.parse(uuid(4));
const requester: ContactCard = {
  id: requesterId,
  handle: handleSchema.parse('planner'),
  display_name: 'Planner',
  kind: 'agent',
  name: 'Planner',
  subtitle: null,
  description: null,
  category: null,
  skills: [],
  visibility: 'unlisted',
  image_url: null,
  image_color: null,
  verified: false,
  creator: null,
  owner: null,
};

type CommandBody = TaskCommand extends infer Command
  ? Command extends TaskCommand
    ? Omit<Command, 'taskId' | 'changeId' | 'traceId' | 'at'>
    : never
  : never;

let commandCount = 100;
function command(body: CommandBody, at = 0): TaskCommand {
  commandCount += 1;
  return {
    taskId,
    changeId: changeIdSchema.parse(uuid(commandCount)),
    traceId: traceIdSchema.parse('0'.repeat(32)),
    at: timestampAt(at),
    ...body,
  };
}

const fromRequester = (messageId: string): Message => ({
  messageId,
  role: 'ROLE_USER',
  parts: [{ text: messageId }],
});
const fromCallee = (messageId: string): Message => ({
  messageId,
  role: 'ROLE_AGENT',
  parts: [{ text: messageId }],
});

const submit = (calleeAcceptsTasks = true): CommandBody => ({
  type: 'submit',
  requester,
  calleeId,
  calleeAcceptsTasks,
  contextId: 'context',
  message: fromRequester('first'),
  metadata: { colour: 'blue' },
});
const followUp = (messageId: string, contextId?: string): CommandBody => ({
  type: 'follow-up',
  requesterId,
  calleeId,
  message: { ...fromRequester(messageId), contextId },
});
const cancel: CommandBody = { type: 'cancel', requesterId, calleeId };
const setStatus = (
  state: 'WORKING' | 'INPUT_REQUIRED' | 'COMPLETED',
  text?: string,
): CommandBody => ({
  type: 'set-status',
  calleeId,
  state: `TASK_STATE_${state}`,
  message: text === undefined ? undefined : fromCallee(text),
});
const addArtifact = (artifactId: string, text: string): CommandBody => ({
  type: 'add-artifact',
  calleeId,
  artifact: { artifactId, parts: [{ text }] },
});
const reply = (messageId: string): CommandBody => ({
  type: 'reply',
  calleeId,
  message: fromCallee(messageId),
});

/** The task after these commands, each of which must change it. */
function after(...bodies: CommandBody[]): TaskSnapshot {
  const last = bodies.reduce<TaskSnapshot | undefined>((snapshot, body) => {
    const decision = decide(snapshot, command(body));
    if (decision.type !== 'change') throw new Error(`${body.type}: ${JSON.stringify(decision)}`);
    return evolve(snapshot, decision.change);
  }, undefined);
  if (!last) throw new Error('no commands');
  return last;
}

function refusalOf(snapshot: TaskSnapshot | undefined, body: CommandBody) {
  const decision = decide(snapshot, command(body));
  return decision.type === 'refusal' ? decision.refusal.error : decision.type;
}

describe('a task', () => {
  it('begins SUBMITTED with the message, the metadata of the caller and who asks', () => {
    const { task, revision } = after(submit());
    expect(revision).toBe(1);
    expect(task).toEqual({
      id: taskId,
      contextId: 'context',
      status: { state: 'TASK_STATE_SUBMITTED', timestamp: timestampAt(0) },
      history: [{ ...fromRequester('first'), taskId, contextId: 'context' }],
      metadata: { colour: 'blue', relay: { requester } },
    });
  });

  it('is not begun for an agent that takes none, but a retry finds it whatever holds by now', () => {
    expect(refusalOf(undefined, submit(false))).toBe('tasksNotAccepted');
    expect(decide(after(submit()), command(submit(false)))).toEqual({
      type: 'repeat',
      revision: 1,
    });
  });

  it('takes in the same follow-up once, also when it is finished by then', () => {
    const open = after(submit(), followUp('second'));
    expect(decide(open, command(followUp('second')))).toEqual({ type: 'repeat', revision: 2 });
    const done = after(submit(), followUp('second'), setStatus('COMPLETED'));
    expect(decide(done, command(followUp('second')))).toEqual({ type: 'repeat', revision: 2 });
    expect(refusalOf(done, followUp('third'))).toBe('taskFinished');
  });

  it('takes in the creating message again as what it was', () => {
    expect(decide(after(submit()), command(followUp('first')))).toEqual({
      type: 'repeat',
      revision: 1,
    });
  });

  it('refuses a follow-up from another context', () => {
    expect(refusalOf(after(submit()), followUp('second', 'other'))).toBe('contextMismatch');
    expect(refusalOf(after(submit()), followUp('second', 'context'))).toBe('change');
  });

  it('does not exist for anybody else', () => {
    const task = after(submit());
    expect(refusalOf(undefined, cancel)).toBe('taskNotFound');
    expect(refusalOf(task, { type: 'cancel', requesterId: strangerId, calleeId })).toBe(
      'taskNotFound',
    );
    expect(refusalOf(task, { type: 'cancel', requesterId, calleeId: strangerId })).toBe(
      'taskNotFound',
    );
    expect(refusalOf(task, { type: 'reply', calleeId: strangerId, message: fromCallee('r') })).toBe(
      'taskNotFound',
    );
  });

  it('is canceled once: again is no change, and no other end is taken back', () => {
    const canceled = after(submit(), cancel);
    expect(canceled.task.status.state).toBe('TASK_STATE_CANCELED');
    expect(refusalOf(canceled, cancel)).toBe('repeat');
    expect(refusalOf(after(submit(), setStatus('COMPLETED')), cancel)).toBe('taskNotCancelable');
    expect(refusalOf(canceled, setStatus('COMPLETED'))).toBe('taskFinished');
    expect(refusalOf(canceled, reply('late'))).toBe('taskFinished');
  });

  it('keeps status messages in its history and the same state again as a change', () => {
    const { task } = after(submit(), setStatus('WORKING', 'one'), setStatus('WORKING', 'two'));
    expect(task.history?.map(({ messageId }) => messageId)).toEqual(['first', 'one', 'two']);
    expect(task.status.message).toMatchObject({ messageId: 'two', taskId, contextId: 'context' });
  });

  it('takes an artifact whole, once', () => {
    const task = after(submit(), addArtifact('a', 'text'));
    expect(refusalOf(task, addArtifact('a', 'text'))).toBe('repeat');
    expect(refusalOf(task, addArtifact('a', 'other'))).toBe('artifactTaken');
    const done = after(submit(), addArtifact('a', 'text'), setStatus('COMPLETED'));
    expect(refusalOf(done, addArtifact('a', 'text'))).toBe('repeat');
    expect(refusalOf(done, addArtifact('b', 'text'))).toBe('taskFinished');
  });

  it('is answered by a message only as its first answer', () => {
    const replied = after(submit(), reply('answer'));
    expect(replied.task.status.state).toBe('TASK_STATE_COMPLETED');
    expect(viewAnswer(replied, 1)).toEqual({
      message: { ...fromCallee('answer'), contextId: 'context' },
    });
    expect(refusalOf(replied, reply('again'))).toBe('taskAnswered');
    expect(refusalOf(after(submit(), setStatus('WORKING')), reply('late'))).toBe('taskAnswered');
    expect(refusalOf(after(submit(), addArtifact('a', 'x')), reply('late'))).toBe('taskAnswered');
  });
});

describe('a blocking call', () => {
  it('has its answer when the task is final or waits for the requester', () => {
    expect(isAnswered(after(submit()), 1)).toBe(false);
    expect(isAnswered(after(submit(), setStatus('WORKING')), 1)).toBe(false);
    expect(isAnswered(after(submit(), setStatus('INPUT_REQUIRED')), 1)).toBe(true);
    expect(isAnswered(after(submit(), setStatus('COMPLETED')), 1)).toBe(true);
  });

  it('of a follow-up waits for the next question, not for the one it answers', () => {
    const asked = [submit(), setStatus('INPUT_REQUIRED'), followUp('second')] as const;
    expect(isAnswered(after(...asked), 3)).toBe(false);
    expect(isAnswered(after(...asked, setStatus('INPUT_REQUIRED')), 3)).toBe(true);
  });
});

describe('events', () => {
  const typesAfter = (...bodies: CommandBody[]) => {
    const before = bodies.length > 1 ? after(...bodies.slice(0, -1)) : undefined;
    const body = bodies.at(-1);
    const decision = body && decide(before, command(body));
    if (decision?.type !== 'change') throw new Error('no change');
    const snapshot = evolve(before, decision.change);
    return eventsOf(toRecordedChange(decision.change), snapshot).map(({ event_type, agent_id }) => [
      event_type,
      agent_id,
    ]);
  };

  it('go to the agent that must know', () => {
    expect(typesAfter(submit())).toEqual([['task.created', calleeId]]);
    expect(typesAfter(submit(), followUp('second'))).toEqual([['task.message', calleeId]]);
    expect(typesAfter(submit(), setStatus('WORKING'))).toEqual([['task.updated', requesterId]]);
    expect(typesAfter(submit(), addArtifact('a', 'x'))).toEqual([['task.updated', requesterId]]);
    expect(typesAfter(submit(), reply('r'))).toEqual([['task.updated', requesterId]]);
    expect(typesAfter(submit(), cancel)).toEqual([
      ['task.canceled', calleeId],
      ['task.updated', requesterId],
    ]);
  });
});

const anyBody: fc.Arbitrary<CommandBody> = fc.oneof(
  fc.constant(submit()),
  fc.constant(cancel),
  fc.constantFrom('m1', 'm2', 'm3', 'first').map((id) => followUp(id)),
  fc.constantFrom('WORKING' as const, 'INPUT_REQUIRED' as const).map((state) => setStatus(state)),
  fc.constant(setStatus('COMPLETED', 'done')),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom('x', 'y'))
    .map(([id, text]) => addArtifact(id, text)),
  fc.constant(reply('r')),
);

describe('any sequence of commands', () => {
  it('keeps the rules of a task', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyBody, fc.nat(1000)), { maxLength: 40 }), (steps) => {
        let snapshot: TaskSnapshot | undefined;
        for (const [body, at] of steps) {
          const given = command(body, at);
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
