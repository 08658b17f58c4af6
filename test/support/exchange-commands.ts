import { randomUUID } from 'node:crypto';
import {
  deriveExchangeMessageId,
  type NewChatMessage,
  type TaskCommand,
  toChatContact,
} from '@relay/domain';
import { chatIdSchema } from '@relay/protocol';
import { chatCommands } from './chat-commands.ts';
import { taskCommands, testContact } from './task-commands.ts';

/** A message to an agent that takes no tasks, and what may follow. */
export function exchangeCommands() {
  const [planner, concierge] = [testContact('planner'), testContact('concierge')];
  const members = [planner, concierge].map(toChatContact);
  const tasks = taskCommands(planner, concierge);
  const { taskId } = tasks;
  const chatId = chatIdSchema.parse(randomUUID());
  const chat = chatCommands(members);
  const [, callee] = members;
  if (!callee) throw new Error('no callee');
  const offer = (): TaskCommand => ({
    ...tasks.submit(),
    calleeAcceptsTasks: false,
    offer: { chatId, callee },
  });
  const say = (place: 0 | 1, message: NewChatMessage) => ({ ...chat.send(place, message), chatId });
  const messageId = deriveExchangeMessageId(taskId);
  const named = { replyTo: { messageId, partIndex: 0 } };
  return { ...tasks, chatId, taskId, messageId, offer, say, named };
}
