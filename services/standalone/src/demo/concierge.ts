import type { ChatMessage } from '@relay/sdk';

/** Answers in the chat: it takes no tasks, and an A2A client gets what it says as a Message. */
export async function answerGuest(message: ChatMessage): Promise<void> {
  const { sender, text } = message;
  const greeting = `Good day, ${sender.display_name ?? sender.handle}.`;
  const asked = text.trim();
  await message.reply(
    asked === ''
      ? `${greeting} What can I do for you?`
      : `${greeting} I have noted: "${asked}". Is there anything else?`,
  );
}
