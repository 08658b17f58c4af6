import type { Artifact, Message, Part } from '../../a2a.ts';
import type { SendMessageResponse, Task, TaskStatus } from '../../a2a-results.ts';
import type { PushConfig } from '../../push-configs.ts';
import type { AnswerEncoder, StreamUpdate } from '../decoded-call.ts';
import { encodeCardV01 } from '../older-cards.ts';
import { encodePart as encodePartV03, encodePushTarget } from '../v03/encode.ts';
import { pushEventNames, statesV01 } from './push-events.ts';
import type {
  ArtifactV01,
  EventV01,
  MessageV01,
  PartV01,
  PushConfigV01,
  StatusV01,
  TaskV01,
} from './shapes.ts';

/** Writes answers as A2A 0.1 has them, of a task that the client calls by that name. */
export function encoderV01(taskName: string): AnswerEncoder {
  return {
    answer: (answer) => encodeAnswer(answer, taskName),
    task: (task) => encodeTask(task, taskName),
    card: encodeCardV01,
    noCard: 'extendedCardNotConfigured',
    events: (update) => encodeUpdate(update, taskName),
    pushConfig: (config) => encodePushConfig(config, taskName),
    pushConfigs: ({ configs }) => configs.map((config) => encodePushConfig(config, taskName)),
    pushConfigDeleted: null,
    pushForm: { version: '0.1', taskName },
  };
}

function encodePushConfig(config: PushConfig, id: string): PushConfigV01 {
  const { id: _id, ...target } = encodePushTarget(config);
  const events = config.events?.length ? { events: [...pushEventNames(config.events)] } : {};
  return { id, pushNotificationConfig: { ...target, ...events } };
}

/** 0.1 answers with a task always, so a Message is one that is done. */
function encodeAnswer(answer: SendMessageResponse, id: string): TaskV01 {
  if ('task' in answer) return encodeTask(answer.task, id);
  const { contextId } = answer.message;
  return {
    id,
    ...(contextId === undefined ? {} : { sessionId: contextId }),
    status: { state: 'completed', message: encodeMessageV01(answer.message) },
  };
}

function encodePart(part: Part): PartV01 {
  const { kind: type, ...content } = encodePartV03(part);
  return { type, ...content };
}

export function encodeMessageV01({ role, parts, metadata }: Message): MessageV01 {
  return {
    role: role === 'ROLE_USER' ? 'user' : 'agent',
    parts: parts.map(encodePart),
    ...(metadata ? { metadata } : {}),
  };
}

function encodeStatus({ state, message, timestamp }: TaskStatus): StatusV01 {
  return {
    state: statesV01[state],
    ...(message ? { message: encodeMessageV01(message) } : {}),
    timestamp,
  };
}

function encodeArtifact(artifact: Artifact, index: number): ArtifactV01 {
  const { artifactId: _artifactId, extensions: _extensions, parts, ...fields } = artifact;
  return { ...fields, parts: parts.map(encodePart), index, append: false, lastChunk: true };
}

function encodeTask(task: Task, id: string): TaskV01 {
  const { contextId, status, artifacts, history, metadata } = task;
  return {
    id,
    sessionId: contextId,
    status: encodeStatus(status),
    ...(artifacts ? { artifacts: artifacts.map(encodeArtifact) } : {}),
    ...(history ? { history: history.map(encodeMessageV01) } : {}),
    ...(metadata ? { metadata } : {}),
  };
}

/** Streams of 0.1 hold no Task: its artifacts and its status are told instead. */
function encodeUpdate(
  { response, isLast, artifactIndex = 0 }: StreamUpdate,
  id: string,
): EventV01[] {
  if ('message' in response) {
    const status: StatusV01 = { state: 'completed', message: encodeMessageV01(response.message) };
    return [{ id, status, final: true }];
  }
  if ('artifactUpdate' in response) {
    return [{ id, artifact: encodeArtifact(response.artifactUpdate.artifact, artifactIndex) }];
  }
  if ('statusUpdate' in response) {
    return [{ id, status: encodeStatus(response.statusUpdate.status), final: isLast }];
  }
  const { artifacts = [], status } = response.task;
  return [
    ...artifacts.map((artifact, index) => ({ id, artifact: encodeArtifact(artifact, index) })),
    { id, status: encodeStatus(status), final: isLast },
  ];
}
