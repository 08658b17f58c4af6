import { randomUUID } from 'node:crypto';
import { type Bus, encodeChat } from '@relay/bus';
import { type ChatMember, decideChat, evolveChat } from '@relay/domain';
import {
  changeIdSchema,
  chatIdSchema,
  chatMessageIdSchema,
  timestampAt,
  traceIdSchema,
} from '@relay/protocol';

const text = 'Summarize the attached notes for the weekly report, please. '.repeat(5);
const traceId = traceIdSchema.parse('0'.repeat(32));

/** Writes messages to a chat that is there, until it holds so many; as the task-manager would. */
export async function fillChat(bus: Bus, id: string, length: number): Promise<void> {
  const chatId = chatIdSchema.parse(id);
  const recorded = await bus.chats.read(chatId);
  if (!recorded) throw new Error('there is no such chat');
  let { snapshot, sequence } = recorded;
  while (snapshot.revision < length) {
    const member: ChatMember | undefined = snapshot.members[snapshot.revision % 2];
    if (!member) throw new Error('the chat has no members');
    const at = timestampAt(Date.now());
    const decision = decideChat(snapshot, {
      type: 'send',
      chatId,
      changeId: changeIdSchema.parse(randomUUID()),
      traceId,
      at,
      sender: member.contact,
      beginning: undefined,
      message: {
        id: chatMessageIdSchema.parse(randomUUID()),
        parts: [{ type: 'text', value: text }],
        replyTo: null,
        thread: null,
        silent: false,
        metadata: null,
        idempotencyKey: null,
        a2a: null,
      },
      firstSentAt: at,
    });
    if (decision.type !== 'change') throw new Error(JSON.stringify(decision));
    const { change } = decision;
    const body = { change, snapshot: evolveChat(snapshot, change) };
    const outcome = await bus.chats.append(body, encodeChat(body), sequence);
    if (outcome.type !== 'appended') throw new Error(`not appended: ${outcome.type}`);
    ({ snapshot } = body);
    ({ sequence } = outcome);
  }
}
