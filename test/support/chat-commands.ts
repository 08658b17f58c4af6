import { randomUUID } from 'node:crypto';
import {
  type ChatCommand,
  type ChatContact,
  type NewChatMessage,
  toChatContact,
} from '@relay/domain';
import {
  changeIdSchema,
  chatIdSchema,
  chatMessageIdSchema,
  taskIdSchema,
  timestampAt,
  traceIdSchema,
} from '@relay/protocol';
import { testContact } from './task-commands.ts';

type CommandOf<Type extends ChatCommand['type']> = Extract<ChatCommand, { type: Type }>;

export function chatMessage(
  text: string,
  fields: Partial<Omit<NewChatMessage, 'parts'>> = {},
): NewChatMessage {
  return {
    id: chatMessageIdSchema.parse(randomUUID()),
    parts: [{ type: 'text', value: text }],
    replyTo: null,
    thread: null,
    silent: false,
    metadata: null,
    idempotencyKey: null,
    a2a: null,
    ...fields,
  };
}

/** A message as it comes from the A2A door. */
export function doorMessage(text: string): NewChatMessage {
  const a2a = { messageId: text, taskId: taskIdSchema.parse(randomUUID()) };
  return chatMessage(text, { a2a });
}

/** Commands on one new chat, each a new one; the first message begins it. */
export function chatCommands(
  members = ['planner', 'concierge'].map((handle) => toChatContact(testContact(handle))),
  isGroup = members.length > 2,
) {
  const chatId = chatIdSchema.parse(randomUUID());
  const fields = () => ({
    chatId,
    changeId: changeIdSchema.parse(randomUUID()),
    traceId: traceIdSchema.parse('0'.repeat(32)),
    at: timestampAt(Date.now()),
  });
  const member = (place: number) => {
    const found = members[place];
    if (!found) throw new Error(`there is no member ${place}`);
    return found;
  };
  return {
    chatId,
    member,
    send: (place: number, message: NewChatMessage): CommandOf<'send'> => {
      const common = fields();
      return {
        ...common,
        type: 'send',
        sender: member(place),
        beginning: { isGroup, members },
        message,
        firstSentAt: common.at,
      };
    },
    read: (place: number): CommandOf<'mark-read'> => ({
      ...fields(),
      type: 'mark-read',
      agentId: member(place).id,
    }),
    upgrade: (place: number, { a2a }: NewChatMessage): CommandOf<'upgrade'> => {
      if (!a2a) throw new Error('the message did not come from the A2A door');
      return {
        ...fields(),
        type: 'upgrade',
        calleeId: member(place).id,
        taskId: a2a.taskId,
        opening: { type: 'set-status', state: 'TASK_STATE_WORKING', message: undefined },
      };
    },
    add: (by: number, contact: ChatContact, hidesHistory = false): CommandOf<'add-member'> => ({
      ...fields(),
      type: 'add-member',
      byId: member(by).id,
      contact,
      hidesHistory,
    }),
    remove: (by: number, agentId: ChatContact['id']): CommandOf<'remove-member'> => ({
      ...fields(),
      type: 'remove-member',
      byId: member(by).id,
      agentId,
    }),
    leave: (place: number): CommandOf<'leave'> => ({
      ...fields(),
      type: 'leave',
      agentId: member(place).id,
    }),
    rename: (by: number, displayName: string): CommandOf<'change-group'> => ({
      ...fields(),
      type: 'change-group',
      byId: member(by).id,
      displayName,
      iconUrl: undefined,
    }),
  };
}
