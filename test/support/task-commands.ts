import { randomUUID } from 'node:crypto';
import type { TaskCommand } from '@relay/domain';
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

/** An agent as the caller of tasks. */
export function testContact(handle: string): ContactCard {
  return {
    id: agentIdSchema.parse(randomUUID()),
    handle: handleSchema.parse(handle),
    display_name: handle,
    kind: 'agent',
    name: handle,
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
}

type CommandOf<Type extends TaskCommand['type']> = Extract<TaskCommand, { type: Type }>;

/** Commands on one new task between two agents, each a new one. */
export function taskCommands(requester = testContact('planner'), callee = testContact('worker')) {
  const taskId = taskIdSchema.parse(randomUUID());
  const contextId: string = randomUUID();
  const calleeId = callee.id;
  const fields = () => ({
    taskId,
    changeId: changeIdSchema.parse(randomUUID()),
    traceId: traceIdSchema.parse('0'.repeat(32)),
    at: timestampAt(Date.now()),
  });
  const message = (messageId: string, role: Message['role'], text = messageId): Message => ({
    messageId,
    role,
    parts: [{ text }],
  });
  return {
    taskId,
    contextId,
    requester,
    callee,
    submit: (text = 'hello'): CommandOf<'submit'> => ({
      ...fields(),
      type: 'submit',
      requester,
      calleeId,
      calleeAcceptsTasks: true,
      contextId,
      message: message('first', 'ROLE_USER', text),
      metadata: undefined,
    }),
    followUp: (messageId: string, text?: string): CommandOf<'follow-up'> => ({
      ...fields(),
      type: 'follow-up',
      requesterId: requester.id,
      calleeId,
      message: message(messageId, 'ROLE_USER', text),
    }),
    status: (
      state: 'WORKING' | 'INPUT_REQUIRED' | 'COMPLETED' | 'FAILED',
      text?: string,
    ): CommandOf<'set-status'> => ({
      ...fields(),
      type: 'set-status',
      calleeId,
      state: `TASK_STATE_${state}`,
      message: text === undefined ? undefined : message(randomUUID(), 'ROLE_AGENT', text),
    }),
    artifact: (artifactId: string, text: string): CommandOf<'add-artifact'> => ({
      ...fields(),
      type: 'add-artifact',
      calleeId,
      artifact: { artifactId, parts: [{ text }] },
    }),
    reply: (messageId: string): CommandOf<'reply'> => ({
      ...fields(),
      type: 'reply',
      calleeId,
      message: message(messageId, 'ROLE_AGENT'),
    }),
    cancel: (): CommandOf<'cancel'> => ({
      ...fields(),
      type: 'cancel',
      requesterId: requester.id,
      calleeId,
    }),
  };
}
