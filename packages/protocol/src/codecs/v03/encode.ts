import type { Artifact, Message, Part, TaskState } from '../../a2a.ts';
import type { Task, TaskStatus } from '../../a2a-results.ts';
import { isJsonObject } from '../../json.ts';
import type { PushConfig } from '../../push-configs.ts';
import type { AnswerEncoder, StreamUpdate } from '../decoded-call.ts';
import { encodeCardV03 } from '../older-cards.ts';
import type {
  ArtifactV03,
  EventV03,
  MessageV03,
  PartV03,
  PushConfigV03,
  StateV03,
  StatusV03,
  TaskV03,
} from './shapes.ts';
import { notAnObject } from './wrapped-data.ts';

const states: Readonly<Record<TaskState, StateV03>> = {
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
  TASK_STATE_REJECTED: 'rejected',
  TASK_STATE_AUTH_REQUIRED: 'auth-required',
};

/** Writes answers as A2A 0.3 has them. */
export const encoderV03: AnswerEncoder = {
  answer: (answer) => ('task' in answer ? encodeTask(answer.task) : encodeMessage(answer.message)),
  task: encodeTask,
  card: encodeCardV03,
  noCard: 'extendedCardNotConfigured',
  events: encodeUpdate,
  pushConfig: encodePushConfig,
  pushConfigs: ({ configs }) => configs.map(encodePushConfig),
  pushConfigDeleted: null,
  pushForm: { version: '0.3' },
};

function encodePushConfig({ taskId, ...config }: PushConfig): PushConfigV03 {
  return { taskId, pushNotificationConfig: encodePushTarget(config) };
}

/** Without the filter, which 0.3 does not have. */
export function encodePushTarget({
  id,
  url,
  authentication,
}: Pick<PushConfig, 'id' | 'url' | 'authentication'>): PushConfigV03['pushNotificationConfig'] {
  return {
    id,
    url,
    ...(authentication ? { authentication: { schemes: [authentication.scheme] } } : {}),
  };
}

export function encodePart(part: Part): PartV03 {
  const metadata = part.metadata ? { metadata: part.metadata } : {};
  if ('text' in part) return { kind: 'text', text: part.text, ...metadata };
  if ('data' in part) {
    return isJsonObject(part.data)
      ? { kind: 'data', data: part.data, ...metadata }
      : { kind: 'data', ...notAnObject.wrap(part.data, part.metadata) };
  }
  const file = {
    ...(part.filename ? { name: part.filename } : {}),
    ...(part.mediaType ? { mimeType: part.mediaType } : {}),
  };
  return 'raw' in part
    ? { kind: 'file', file: { bytes: part.raw, ...file }, ...metadata }
    : { kind: 'file', file: { uri: part.url, ...file }, ...metadata };
}

export function encodeMessage({ role, parts, ...message }: Message): MessageV03 {
  return {
    kind: 'message',
    ...message,
    role: role === 'ROLE_USER' ? 'user' : 'agent',
    parts: parts.map(encodePart),
  };
}

function encodeStatus({ state, message, timestamp }: TaskStatus): StatusV03 {
  return {
    state: states[state],
    ...(message ? { message: encodeMessage(message) } : {}),
    timestamp,
  };
}

function encodeArtifact({ parts, ...artifact }: Artifact): ArtifactV03 {
  return { ...artifact, parts: parts.map(encodePart) };
}

function encodeTask({ status, artifacts, history, ...task }: Task): TaskV03 {
  return {
    kind: 'task',
    ...task,
    status: encodeStatus(status),
    ...(artifacts ? { artifacts: artifacts.map(encodeArtifact) } : {}),
    ...(history ? { history: history.map(encodeMessage) } : {}),
  };
}

/** A stream's last event says so: a Task cannot, so its status is told after it. */
function encodeUpdate({ response, isLast }: StreamUpdate): EventV03[] {
  if ('message' in response) return [encodeMessage(response.message)];
  if ('artifactUpdate' in response) {
    const { artifact, ...event } = response.artifactUpdate;
    return [
      { kind: 'artifact-update', ...event, artifact: encodeArtifact(artifact), append: false },
    ];
  }
  if ('statusUpdate' in response) {
    const { status, ...event } = response.statusUpdate;
    return [{ kind: 'status-update', ...event, status: encodeStatus(status), final: isLast }];
  }
  const { task } = response;
  const { id: taskId, contextId } = task;
  const status = encodeStatus(task.status);
  return isLast
    ? [encodeTask(task), { kind: 'status-update', taskId, contextId, status, final: true }]
    : [encodeTask(task)];
}
