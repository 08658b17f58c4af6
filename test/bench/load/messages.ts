import { randomUUID } from 'node:crypto';
import type { SendKind } from './orders.ts';

/** About what a short instruction to an agent takes. */
const text = 'Summarize the attached notes for the weekly report, please. '.repeat(5);

const client = randomUUID();
let sent = 0;

export interface NumberedMessage {
  readonly number: number;
  readonly body: string;
}

/** A send that no one has sent before: its message id ends with a number that counts up. */
export function nextMessage(kind: SendKind): NumberedMessage {
  sent += 1;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: sent,
    method: 'SendMessage',
    params: {
      message: { messageId: `${client}-${sent}`, role: 'ROLE_USER', parts: [{ text }] },
      configuration: { returnImmediately: kind === 'immediate' },
    },
  });
  return { number: sent, body };
}

export function numberOf(messageId: string): number {
  return Number(messageId.slice(messageId.lastIndexOf('-') + 1));
}
