import type { Artifact, Message, Part } from '../../a2a.ts';
import type { Task, TaskStatus } from '../../a2a-results.ts';
import { isJsonObject } from '../../json.ts';
import type { PushConfig } from '../../push-configs.ts';
import type { AnswerEncoder, StreamUpdate } from '../decoded-call.ts';
import { encodeCardV03Http } from '../older-cards.ts';
import { encodePushTarget } from '../v03/encode.ts';
import { notAnObject } from '../v03/wrapped-data.ts';
import type {
  ArtifactV03Http,
  EventV03Http,
  MessageV03Http,
  PartV03Http,
  PushConfigV03Http,
  StatusV03Http,
  TaskV03Http,
} from './shapes.ts';

/** Writes answers as the HTTP+JSON of A2A 0.3 has them. */
export const encoderV03Http: AnswerEncoder = {
  answer: (answer) =>
    'task' in answer
      ? { task: encodeTask(answer.task) }
      : { message: encodeHttpMessage(answer.message) },
  task: encodeTask,
  card: encodeCardV03Http,
  noCard: 'extendedCardNotConfigured',
  events: encodeUpdate,
  pushConfig: encodePushConfig,
  pushConfigs: ({ configs, nextPageToken }) => ({
    configs: configs.map(encodePushConfig),
    nextPageToken,
  }),
  pushConfigDeleted: {},
  // Receivers are told by the JSON of 0.3 whatever the binding was: its SDKs know nothing else.
  pushForm: { version: '0.3' },
};

function encodePushConfig({ taskId, ...config }: PushConfig): PushConfigV03Http {
  return {
    name: `tasks/${taskId}/pushNotificationConfigs/${config.id}`,
    pushNotificationConfig: encodePushTarget(config),
  };
}

function encodePart(part: Part): PartV03Http {
  const metadata = part.metadata ? { metadata: part.metadata } : {};
  if ('text' in part) return { text: part.text, ...metadata };
  if ('data' in part) {
    if (isJsonObject(part.data)) return { data: { data: part.data }, ...metadata };
    const { data, metadata: marked } = notAnObject.wrap(part.data, part.metadata);
    return { data: { data }, metadata: marked };
  }
  const file = {
    ...(part.filename ? { name: part.filename } : {}),
    ...(part.mediaType ? { mimeType: part.mediaType } : {}),
  };
  return 'raw' in part
    ? { file: { fileWithBytes: part.raw, ...file }, ...metadata }
    : { file: { fileWithUri: part.url, ...file }, ...metadata };
}

export function encodeHttpMessage(message: Message): MessageV03Http {
  const { parts, referenceTaskIds: _referenceTaskIds, ...fields } = message;
  return { ...fields, content: parts.map(encodePart) };
}

/** The proto of 0.3 spells it with two l. */
function encodeStatus({ state, message, timestamp }: TaskStatus): StatusV03Http {
  return {
    state: state === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : state,
    ...(message ? { message: encodeHttpMessage(message) } : {}),
    timestamp,
  };
}

function encodeArtifact({ parts, ...artifact }: Artifact): ArtifactV03Http {
  return { ...artifact, parts: parts.map(encodePart) };
}

function encodeTask({ status, artifacts, history, ...task }: Task): TaskV03Http {
  return {
    ...task,
    status: encodeStatus(status),
    ...(artifacts ? { artifacts: artifacts.map(encodeArtifact) } : {}),
    ...(history ? { history: history.map(encodeHttpMessage) } : {}),
  };
}

/** A stream's last event says so: a Task cannot, so its status is told after it. */
function encodeUpdate({ response, isLast }: StreamUpdate): EventV03Http[] {
  if ('message' in response) return [{ message: encodeHttpMessage(response.message) }];
  if ('artifactUpdate' in response) {
    const { artifact, ...event } = response.artifactUpdate;
    return [{ artifactUpdate: { ...event, artifact: encodeArtifact(artifact) } }];
  }
  if ('statusUpdate' in response) {
    const { status, ...event } = response.statusUpdate;
    return [{ statusUpdate: { ...event, status: encodeStatus(status), final: isLast } }];
  }
  const { task } = response;
  const { id: taskId, contextId } = task;
  const status = encodeStatus(task.status);
  return isLast
    ? [{ task: encodeTask(task) }, { statusUpdate: { taskId, contextId, status, final: true } }]
    : [{ task: encodeTask(task) }];
}
