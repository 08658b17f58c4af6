import { setTimeout as delay } from 'node:timers/promises';
import { type Part, RelayAgent, type TaskContext, type TaskHandler } from '@relay/sdk';
import { z } from 'zod';

const file: Part = {
  raw: Buffer.from('Generated file content').toString('base64'),
  filename: 'output.txt',
  mediaType: 'text/plain',
};

const fileUrl: Part = {
  url: 'https://example.com/output.txt',
  filename: 'output.txt',
  mediaType: 'text/plain',
};

/** Twice the kit's time for a stream, and a little. */
const resubscriptionMs = 5_000;

/**
 * The agent that the conformance kits of A2A want to meet: what a message is to bring about is told by the
 * beginning of its `messageId`, as `scenarios` of the kit for 1.0 and SUT_REQUIREMENTS of that for 0.3 say.
 */
const scenarios: Readonly<Record<string, TaskHandler>> = {
  'tck-': async (task) => void (await task.finish('Done')),
  'tck-complete-task': async (task) => void (await task.finish('Hello from TCK')),
  'tck-artifact-text': complete({ text: 'Generated text content' }),
  'tck-artifact-file': complete(file),
  'tck-artifact-file-url': complete(fileUrl),
  'tck-artifact-data': complete({ data: { key: 'value', count: 42 } }),
  'tck-message-response': async (task) =>
    void (await task.reply([{ text: 'Direct message response' }])),
  'tck-input-required': ask,
  'tck-auth-required': async (task) => void (await task.status('TASK_STATE_AUTH_REQUIRED')),
  'tck-delayed-complete': (task) => finishAfter(task, 2_000, 'Done after delay'),
  'tck-reject-task': async (task) => void (await task.reject('rejected')),
  'tck-stream-001': work({ text: 'Stream hello from TCK' }),
  'tck-stream-002': work(),
  'tck-stream-003': work({ text: 'Stream task lifecycle' }),
  'tck-stream-ordering-001': work({ text: 'Ordered output' }),
  'tck-stream-artifact-text': work({ text: 'Streamed text content' }),
  'tck-stream-artifact-file': work(file),
  // Relay takes artifacts whole, so the chunks are two of them.
  'tck-stream-artifact-chunked': work({ text: 'chunk-1 ' }, { text: 'chunk-2' }),
  'test-resubscribe-message-id': (task) => finishAfter(task, resubscriptionMs),
};

/** The longest comes first: some names begin with others. */
const byLength = Object.entries(scenarios).toSorted(([one], [other]) => other.length - one.length);

async function handle(task: TaskContext): Promise<void> {
  const { messageId } = task.message;
  // The kit for 0.3 goes on with tasks, or cancels them, after the call that waited was answered.
  const [, scenario] = byLength.find(([prefix]) => messageId.startsWith(prefix)) ?? ['', ask];
  await scenario(task);
}

async function ask(task: TaskContext): Promise<void> {
  await task.ask('What else?');
}

function complete(...parts: Part[]): TaskHandler {
  return async (task) => {
    await addArtifacts(task, parts);
    await task.finish();
  };
}

function work(...parts: Part[]): TaskHandler {
  return async (task) => {
    await task.working();
    await addArtifacts(task, parts);
    await task.finish();
  };
}

async function addArtifacts(task: TaskContext, parts: readonly Part[]): Promise<void> {
  for (const part of parts) await task.artifact({ parts: [part] });
}

async function finishAfter(task: TaskContext, milliseconds: number, text?: string): Promise<void> {
  await task.working();
  await delay(milliseconds, undefined, { signal: task.signal });
  await task.finish(text);
}

const { RELAY_URL: url, RELAY_TOKEN: token } = z
  .object({ RELAY_URL: z.url(), RELAY_TOKEN: z.string().min(1) })
  .parse(process.env);
const listener = await new RelayAgent({ url, token }).serve(handle);
process.once('SIGTERM', () => void listener.stop());
process.stdout.write('serving\n');
await listener.finished;
