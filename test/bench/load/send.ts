import type { Dispatcher } from 'undici';
import { nextMessage } from './messages.ts';
import type { SendKind, Target } from './orders.ts';
import { type Answer, post } from './post.ts';

/** In what this kind of send is answered with, and with nothing else: an exact state, or a Message. */
const marks = {
  immediate: Buffer.from('"TASK_STATE_SUBMITTED"'),
  blocking: Buffer.from('"TASK_STATE_COMPLETED"'),
  message: Buffer.from('"result":{"message":{'),
};

const shownOfRefusal = 300;

export interface Sending {
  readonly number: number;
  /** Why it was not answered as it should be; nothing when it was. Never rejects. */
  readonly refusal: Promise<string | undefined>;
}

export function sendNext(dispatcher: Dispatcher, target: Target, kind: SendKind): Sending {
  const { number, body } = nextMessage(kind);
  const answered = post(dispatcher, target, body);
  return { number, refusal: answered.then((answer) => refusalIn(answer, kind), String) };
}

/** JSON-RPC answers errors with 200 as well, so the state is looked for. */
function refusalIn({ status, body }: Answer, kind: SendKind): string | undefined {
  if (status === 200 && body.includes(marks[kind])) return undefined;
  return `${status} ${body.toString().slice(0, shownOfRefusal)}`;
}
