import { timestampAt } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { chatCommands, chatMessage, doorMessage } from '../../../../test/support/chat-commands.ts';
import {
  type ChatCommand,
  type ChatSnapshot,
  decideChat,
  evolveChat,
  type NewChatMessage,
  viewChat,
} from '../index.ts';

/** The chat after these commands, each of which must change it. */
function after(...commands: ChatCommand[]): ChatSnapshot {
  let chat: ChatSnapshot | undefined;
  for (const command of commands) {
    const decision = decideChat(chat, command);
    if (decision.type !== 'change') throw new Error(JSON.stringify(decision));
    chat = evolveChat(chat, decision.change);
  }
  if (!chat) throw new Error('there is no chat');
  return chat;
}

const replyTo = ({ id: messageId }: NewChatMessage) => ({ replyTo: { messageId, partIndex: 0 } });

describe('a message that is kept from a member', () => {
  it('is nothing that was written, for that one', () => {
    const { send, member } = chatCommands();
    const keptFrom = [member(1).id];
    const [asked, kept] = [doorMessage('asked'), chatMessage('kept', { keptFrom })];
    const chat = after(send(0, asked), send(0, kept));
    expect(decideChat(chat, send(1, chatMessage('?', replyTo(kept))))).toMatchObject({
      refusal: { error: 'invalidParams' },
    });
    expect(decideChat(chat, send(0, chatMessage('!', replyTo(kept)))).type).toBe('change');
    expect(decideChat(chat, send(1, chatMessage('yes')))).toMatchObject({
      change: { answers: asked.a2a?.taskId },
    });
  });

  it('answers nothing that this one has asked', () => {
    const { send, member } = chatCommands();
    const asked = doorMessage('asked');
    const chat = after(send(0, asked));
    const answer = { keptFrom: [member(0).id], ...replyTo(asked) };
    expect(decideChat(chat, send(1, chatMessage('yes', answer)))).toMatchObject({
      change: { answers: null },
    });
  });

  it('does not change the chat for it, until something does that it sees', () => {
    const { send, member, read } = chatCommands();
    const at = (time: number, command: ChatCommand) => ({ ...command, at: timestampAt(time) });
    const keptFrom = [member(1).id];
    const commands = [
      at(1_000, send(0, chatMessage('one'))),
      at(2_000, send(0, chatMessage('two', { keptFrom }))),
      at(3_000, send(0, chatMessage('three', { keptFrom }))),
    ];
    const changedFor = (now: ChatSnapshot) =>
      [0, 1].map((place) => viewChat(now, member(place).id).updated_at);
    expect(changedFor(after(...commands))).toEqual([timestampAt(3_000), timestampAt(1_000)]);
    const later = after(...commands, at(4_000, read(1)));
    expect(changedFor(later)).toEqual([timestampAt(4_000), timestampAt(4_000)]);
  });
});
