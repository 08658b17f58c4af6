import { type Msg, headers as natsHeaders } from '@nats-io/transport-node';
import { Histogram } from '@relay/runtime';
import type { Answer, Requests } from './requests.ts';

export interface Append {
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** The subject's last sequence as the writer knows it; 0 for none. It is stored: the link to the message before. */
  readonly expectedLastSequence: number;
}

export type AppendOutcome =
  | { readonly type: 'appended'; readonly sequence: number }
  /** Somebody else appended first, or the message is already there. */
  | { readonly type: 'conflict' }
  /** Certainly not stored. Somebody else is appending, and three servers have not agreed on that yet. */
  | { readonly type: 'contended' }
  /** No answer came: it may be stored or not. Read the subject's last message to know. */
  | { readonly type: 'unknown' }
  /** Certainly not stored. */
  | { readonly type: 'unavailable'; readonly reason: string };

const appends = new Histogram({
  name: 'relay_append_seconds',
  help: 'Time for NATS to acknowledge an append, by what is appended and by what came of it.',
  labelNames: ['record', 'outcome'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
});

const timeout = 5_000;
export const linkHeader = 'Nats-Expected-Last-Subject-Sequence';
/** JetStream's "wrong last sequence". */
const conflictCode = 10071;
/** The same where it is behind a write that is not decided; only streams with replicas answer so. */
const contendedCode = 10164;

/** The one function that appends to streams. */
export class Appender {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  async append(append: Append): Promise<AppendOutcome> {
    const headers = natsHeaders();
    headers.set(linkHeader, String(append.expectedLastSequence));
    for (const [name, value] of Object.entries(append.headers)) headers.set(name, value);
    const { subject, payload } = append;
    const since = performance.now();
    const outcome = outcomeOf(await this.#requests.send({ subject, payload, headers, timeout }));
    const record = subject.slice(0, subject.indexOf('.'));
    appends.observe({ record, outcome: outcome.type }, (performance.now() - since) / 1_000);
    return outcome;
  }
}

function outcomeOf(answer: Answer): AppendOutcome {
  switch (answer.type) {
    case 'answered':
      return readAnswer(answer.message);
    case 'no-responders':
      return { type: 'unavailable', reason: 'no stream answers' };
    case 'unanswered':
      return { type: 'unknown' };
    case 'unsent':
      return { type: 'unavailable', reason: answer.reason };
  }
}

interface PublishAnswer {
  readonly seq?: number;
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

function readAnswer(message: Msg): AppendOutcome {
  const answer = message.json<PublishAnswer>();
  if (answer.seq !== undefined && !answer.error) return { type: 'appended', sequence: answer.seq };
  if (answer.error?.err_code === conflictCode) return { type: 'conflict' };
  if (answer.error?.err_code === contendedCode) return { type: 'contended' };
  return { type: 'unavailable', reason: answer.error?.description ?? 'NATS refused the message' };
}
