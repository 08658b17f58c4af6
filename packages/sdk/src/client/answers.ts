import {
  type AgentCard,
  isJsonObject,
  type ListTasksResponse,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
} from '@relay/protocol';
import { RelayRequestError } from '../http/request-error.ts';

/** Answers are looked at as far as this package relies on them; the rest is the agent's to judge. */

/** @throws RelayRequestError when Relay answered something else */
export function expectAnswer<Answer>(
  value: unknown,
  isAnswer: (value: unknown) => value is Answer,
): Answer {
  if (isAnswer(value)) return value;
  throw new RelayRequestError('Relay answered in a shape that is not known.', { status: 200 });
}

export function isTask(value: unknown): value is Task {
  return (
    isJsonObject(value) &&
    typeof value['id'] === 'string' &&
    typeof value['contextId'] === 'string' &&
    hasState(value)
  );
}

export function isTaskAnswer(value: unknown): value is { readonly task: Task } {
  return isJsonObject(value) && isTask(value['task']);
}

export function isSendAnswer(value: unknown): value is SendMessageResponse {
  return isTaskAnswer(value) || isMessageAnswer(value);
}

export function isStreamResponse(value: unknown): value is StreamResponse {
  return isSendAnswer(value) || isStatusUpdate(value) || isArtifactUpdate(value);
}

export function isTaskList(value: unknown): value is ListTasksResponse {
  return isJsonObject(value) && Array.isArray(value['tasks']) && value['tasks'].every(isTask);
}

/** A page of `GET /v1/tasks`. */
export function isTaskPage(
  value: unknown,
): value is { readonly tasks: readonly Task[]; readonly next_page_token: string } {
  return isTaskList(value) && 'next_page_token' in value;
}

export function isAgentCard(value: unknown): value is AgentCard {
  return isJsonObject(value) && Array.isArray(value['supportedInterfaces']);
}

function isMessageAnswer(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    isJsonObject(value['message']) &&
    Array.isArray(value['message']['parts'])
  );
}

function isStatusUpdate(value: unknown): boolean {
  return isJsonObject(value) && hasState(value['statusUpdate']);
}

function isArtifactUpdate(value: unknown): boolean {
  const update = isJsonObject(value) ? value['artifactUpdate'] : undefined;
  return isJsonObject(update) && isJsonObject(update['artifact']);
}

function hasState(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    isJsonObject(value['status']) &&
    typeof value['status']['state'] === 'string'
  );
}
