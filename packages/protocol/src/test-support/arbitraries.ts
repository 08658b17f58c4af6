import fc from 'fast-check';
import { type Artifact, type Message, type Part, type TaskState, taskStates } from '../a2a.ts';
import type { StreamResponse, Task, TaskStatus } from '../a2a-results.ts';
import { taskIdSchema, timestampAt } from '../ids.ts';

/** Values of the canonical model, to be written and read by codecs. */

const idText = fc.string({ minLength: 1, maxLength: 40 });
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.option(arbitrary, { nil: undefined });

/** Without keys that are never taken in. */
const isHarmless = (value: unknown) => !JSON.stringify(value).includes('__proto__');
const json = fc
  .jsonValue({ maxDepth: 3 })
  .filter(isHarmless)
  .map((value): unknown => plain(value));
const jsonObject = fc
  .dictionary(fc.string({ maxLength: 8 }), json, { minKeys: 1, maxKeys: 3 })
  .filter(isHarmless)
  .map(plain);

const mediaType = fc.constantFrom('text/plain', 'application/json', 'image/png');

/** Without what is undefined, as JSON has it. */
export function plain<Value>(value: Value): Value {
  const copy: Value = JSON.parse(JSON.stringify(value));
  return copy;
}

/** Parts as every version can carry them. */
export const carriedPart: fc.Arbitrary<Part> = fc
  .oneof(
    fc.record({ text: fc.string(), metadata: optional(jsonObject) }),
    fc.record({
      raw: fc.base64String(),
      mediaType: optional(mediaType),
      filename: optional(idText),
      metadata: optional(jsonObject),
    }),
    fc.record({
      url: fc.webUrl(),
      mediaType: optional(mediaType),
      filename: optional(idText),
      metadata: optional(jsonObject),
    }),
    fc.record({ data: json, metadata: optional(jsonObject) }),
  )
  .map((part): Part => plain(part));

const parts = fc.array(carriedPart, { minLength: 1, maxLength: 4 });

export const requesterMessage: fc.Arbitrary<Message> = fc
  .record({
    messageId: idText,
    contextId: optional(idText),
    taskId: optional(idText),
    role: fc.constant('ROLE_USER' as const),
    parts,
    metadata: optional(jsonObject),
    extensions: optional(fc.array(fc.webUrl(), { minLength: 1, maxLength: 2 })),
    referenceTaskIds: optional(fc.array(idText, { minLength: 1, maxLength: 2 })),
  })
  .map((message): Message => plain(message));

export const agentMessage = requesterMessage.map(
  (message): Message => ({ ...message, role: 'ROLE_AGENT' }),
);

const state: fc.Arbitrary<TaskState> = fc.constantFrom(...taskStates);

const status: fc.Arbitrary<TaskStatus> = fc
  .record({
    state,
    message: optional(agentMessage),
    timestamp: fc.nat().map((milliseconds) => timestampAt(milliseconds)),
  })
  .map((value) => ({ ...plain(value), timestamp: value.timestamp }));

const artifact: fc.Arbitrary<Artifact> = fc
  .record({
    artifactId: idText,
    name: optional(idText),
    description: optional(idText),
    parts,
    metadata: optional(jsonObject),
    extensions: optional(fc.array(fc.webUrl(), { minLength: 1, maxLength: 2 })),
  })
  .map((value): Artifact => plain(value));

const taskId = fc.uuid().map((id) => taskIdSchema.parse(id));

export const task: fc.Arbitrary<Task> = fc
  .record({
    id: taskId,
    contextId: idText,
    status,
    artifacts: optional(fc.array(artifact, { maxLength: 3 })),
    history: optional(fc.array(fc.oneof(requesterMessage, agentMessage), { maxLength: 3 })),
    metadata: optional(jsonObject),
  })
  .map(({ artifacts, history, metadata, ...rest }) => ({
    ...rest,
    ...(artifacts ? { artifacts } : {}),
    ...(history ? { history } : {}),
    ...(metadata ? { metadata } : {}),
  }));

export const streamResponse: fc.Arbitrary<StreamResponse> = fc.oneof(
  task.map((value) => ({ task: value })),
  agentMessage.map((message) => ({ message })),
  fc.record({ taskId, contextId: idText, status }).map((statusUpdate) => ({ statusUpdate })),
  fc
    .record({ taskId, contextId: idText, artifact, lastChunk: fc.constant(true as const) })
    .map((artifactUpdate) => ({ artifactUpdate })),
);
