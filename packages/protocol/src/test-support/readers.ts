import type { Artifact, Message, Part, TaskState } from '../a2a.ts';
import type { ArtifactV01, MessageV01, PartV01, StatusV01, TaskV01 } from '../codecs/v01/shapes.ts';
import { toPart } from '../codecs/v03/decode.ts';
import type {
  ArtifactV03Http,
  EventV03Http,
  MessageV03Http,
  PartV03Http,
  StatusV03Http,
  TaskV03Http,
} from '../codecs/v03-http/shapes.ts';

/**
 * What clients make of answers that older versions wrote, in the canonical model. 0.3 over JSON-RPC is read by
 * the A2A SDK.
 */

export function readEventV03Http(event: EventV03Http): unknown {
  if ('task' in event) return { task: readTaskV03Http(event.task) };
  if ('message' in event) return { message: readMessageV03Http(event.message) };
  if ('artifactUpdate' in event) {
    const { artifact, ...update } = event.artifactUpdate;
    return { artifactUpdate: { ...update, artifact: readArtifactV03Http(artifact) } };
  }
  const { status, final: _final, ...update } = event.statusUpdate;
  return { statusUpdate: { ...update, status: readStatusV03Http(status) } };
}

export function readTaskV03Http({ status, artifacts, history, ...task }: TaskV03Http) {
  return {
    ...task,
    status: readStatusV03Http(status),
    ...(artifacts ? { artifacts: artifacts.map(readArtifactV03Http) } : {}),
    ...(history ? { history: history.map(readMessageV03Http) } : {}),
  };
}

function readMessageV03Http({ content, ...message }: MessageV03Http) {
  return { ...message, parts: content.map(readPartV03Http) };
}

function readStatusV03Http({ state, message, timestamp }: StatusV03Http) {
  return {
    state: state === 'TASK_STATE_CANCELLED' ? 'TASK_STATE_CANCELED' : state,
    ...(message ? { message: readMessageV03Http(message) } : {}),
    timestamp,
  };
}

function readArtifactV03Http({ parts, ...artifact }: ArtifactV03Http) {
  return { ...artifact, parts: parts.map(readPartV03Http) };
}

function readPartV03Http(part: PartV03Http): Part | undefined {
  const { metadata } = part;
  if ('text' in part) return toPart('text', { text: part.text, metadata });
  if ('data' in part) return toPart('data', { data: part.data.data, metadata });
  const { name, mimeType } = part.file;
  const file =
    'fileWithBytes' in part.file
      ? { bytes: part.file.fileWithBytes }
      : { uri: part.file.fileWithUri };
  return toPart('file', { file: { ...file, name, mimeType }, metadata });
}

export function readTaskV01({ sessionId, status, artifacts, history, ...task }: TaskV01) {
  return {
    ...task,
    contextId: sessionId,
    status: readStatusV01(status),
    ...(artifacts ? { artifacts: artifacts.map(readArtifactV01) } : {}),
    ...(history ? { history: history.map(readMessageV01) } : {}),
  };
}

export function readStatusV01({ state, message, timestamp }: StatusV01) {
  return { state, ...(message ? { message: readMessageV01(message) } : {}), timestamp };
}

export function readMessageV01({ role, parts, metadata }: MessageV01) {
  return {
    role: role === 'user' ? 'ROLE_USER' : 'ROLE_AGENT',
    parts: parts.map(readPartV01),
    ...(metadata ? { metadata } : {}),
  };
}

/** Its place among the task's artifacts is its id. */
export function readArtifactV01({
  parts,
  append: _append,
  lastChunk: _last,
  ...artifact
}: ArtifactV01) {
  return { ...artifact, parts: parts.map(readPartV01) };
}

const readPartV01 = ({ type, ...content }: PartV01) => toPart(type, content);

/** States that 0.1 has; of others it has the nearest. */
const statesV01: Readonly<Record<TaskState, string>> = {
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
  TASK_STATE_REJECTED: 'failed',
  TASK_STATE_AUTH_REQUIRED: 'input-required',
};

/** What 0.1 can carry of a message. */
export function carriedByV01({ role, parts, metadata }: Message) {
  return { role, parts, ...(metadata ? { metadata } : {}) };
}

/** What 0.1 can carry of an artifact. */
export function artifactCarriedByV01(
  { artifactId: _id, extensions: _extensions, ...artifact }: Artifact,
  index: number,
) {
  return { ...artifact, index };
}

/** What 0.1 can carry of a status. */
export function statusCarriedByV01({
  state,
  message,
  timestamp,
}: {
  readonly state: TaskState;
  readonly message?: Message | undefined;
  readonly timestamp: string;
}) {
  return {
    state: statesV01[state],
    ...(message ? { message: carriedByV01(message) } : {}),
    timestamp,
  };
}
