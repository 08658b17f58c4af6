import { randomUUID } from 'node:crypto';
import type { Message, Part, Role } from '@relay/protocol';

/** What an agent says: a text, or the parts and what belongs to them. */
export type OutgoingMessage = string | readonly Part[] | MessageContent;

export interface MessageContent {
  readonly parts: readonly Part[];
  /** One and the same for all tries at saying one thing. Made here unless given. */
  readonly messageId?: string | undefined;
  readonly metadata?: Message['metadata'];
  readonly extensions?: Message['extensions'];
  readonly referenceTaskIds?: Message['referenceTaskIds'];
}

/** Where a message belongs. */
export interface MessagePlace {
  readonly taskId?: string | undefined;
  readonly contextId?: string | undefined;
}

/** The A2A message, with its id: whoever sends it again sends the same one. */
export function composeMessage(
  role: Role,
  message: OutgoingMessage,
  { taskId, contextId }: MessagePlace = {},
): Message {
  const content = contentOf(message);
  return { ...content, messageId: content.messageId ?? randomUUID(), role, taskId, contextId };
}

function contentOf(message: OutgoingMessage): MessageContent {
  if (typeof message === 'string') return { parts: [{ text: message }] };
  return 'parts' in message ? message : { parts: message };
}

/** The text parts of a message, joined by line breaks. */
export function textOf({ parts }: Pick<Message, 'parts'>): string {
  return parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}
