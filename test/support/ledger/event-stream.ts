import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { AgentClient } from './agent-client.ts';
import { headersFor } from './relay-calls.ts';

const retryDelay = 100;
/** Keep-alives come much more often. */
const longestSilence = 15_000;

const updateSchema = z.object({
  result: z.object({
    task: z.object({ id: z.string(), status: z.object({ state: z.string() }) }).optional(),
    statusUpdate: z
      .object({ taskId: z.string(), status: z.object({ state: z.string() }) })
      .optional(),
    artifactUpdate: z.object({ taskId: z.string() }).optional(),
  }),
});

const finalStates = ['COMPLETED', 'FAILED', 'CANCELED', 'REJECTED'].map(
  (name) => `TASK_STATE_${name}`,
);

/** What the reader of a task's stream saw, over however many connections. */
export interface StreamLedger {
  taskId: string;
  readonly ids: number[];
  /** Of the Task and the status updates. */
  readonly states: string[];
  connections: number;
}

interface StreamOptions {
  readonly from: AgentClient;
  readonly to: AgentClient;
  readonly text: string;
  /** After so many events it goes away by itself, and comes back elsewhere. */
  readonly leavesAfter: number;
}

/** Sends a message and reads its stream to the end; whenever it is cut, it goes on where it was. */
export async function followStream(
  { from, to, text, leavesAfter }: StreamOptions,
  onTask: (taskId: string) => void,
): Promise<StreamLedger> {
  const messageId = randomUUID();
  const message = { messageId, role: 'ROLE_USER', parts: [{ text }] };
  const ledger: StreamLedger = { taskId: '', ids: [], states: [], connections: 0 };
  while (!finalStates.includes(ledger.states.at(-1) ?? '')) {
    const ask = ledger.taskId
      ? { method: 'SubscribeToTask', params: { id: ledger.taskId } }
      : { method: 'SendStreamingMessage', params: { message } };
    ledger.connections += 1;
    const isToLeave = () => ledger.connections === 1 && ledger.ids.length >= leavesAfter;
    await readOnce(from, to, { jsonrpc: '2.0', id: 1, ...ask }, ledger, () => {
      if (ledger.ids.length === 1) onTask(ledger.taskId);
      return isToLeave();
    }).catch(() => undefined);
    if (!isToLeave()) await delay(retryDelay);
  }
  return ledger;
}

/** One connection. @param onEvent whether to go away now */
async function readOnce(
  from: AgentClient,
  to: AgentClient,
  body: object,
  ledger: StreamLedger,
  onEvent: () => boolean,
): Promise<void> {
  const lastId = ledger.ids.at(-1);
  const abort = new AbortController();
  const response = await fetch(`${from.nextUrl()}/${to.handle}`, {
    method: 'POST',
    headers: {
      ...headersFor(from.token, body),
      ...(lastId === undefined ? {} : { 'last-event-id': String(lastId) }),
    },
    body: JSON.stringify(body),
    signal: abort.signal,
  });
  const silence = setTimeout(() => abort.abort(), longestSilence);
  try {
    let buffered = '';
    for await (const chunk of response.body ?? []) {
      silence.refresh();
      buffered += Buffer.from(chunk).toString();
      const events = buffered.split('\n\n');
      buffered = events.pop() ?? '';
      for (const event of events) {
        if (noteEvent(event, ledger) && onEvent()) return;
      }
    }
  } finally {
    clearTimeout(silence);
    abort.abort();
  }
}

/** @returns whether it is an event, and not a comment or an error that ends the stream */
function noteEvent(text: string, ledger: StreamLedger): boolean {
  const lines = text.split('\n');
  const valueOf = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [id, data] = [valueOf('id'), valueOf('data')];
  if (id === undefined || data === undefined) return false;
  const { task, statusUpdate, artifactUpdate } = updateSchema.parse(JSON.parse(data)).result;
  ledger.ids.push(Number(id));
  const state = (task ?? statusUpdate)?.status.state;
  if (state !== undefined) ledger.states.push(state);
  ledger.taskId ||= task?.id ?? statusUpdate?.taskId ?? artifactUpdate?.taskId ?? '';
  return true;
}
