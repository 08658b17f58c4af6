import type { SendMessageResponse, StreamResponse, Task } from '../a2a-results.ts';
import type { AgentCard } from '../agent-card.ts';
import type { ErrorKey } from '../errors.ts';
import type { TaskId } from '../ids.ts';
import type {
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  SendMessageRequest,
  SubscribeToTaskRequest,
} from '../operations.ts';
import type {
  DeletePushConfigRequest,
  GetPushConfigRequest,
  ListPushConfigsRequest,
  PushConfig,
  PushConfigInput,
  PushConfigPage,
  PushForm,
} from '../push-configs.ts';

/** A message to an agent, from whatever wire version. */
export interface MessageRequest extends SendMessageRequest {
  /** The id of the task that the message opens, where the caller named it; else derived from the messageId. */
  readonly newTaskId?: TaskId;
}

/** What a request asks for, in the canonical form of A2A 1.0. */
export type OperationCall =
  | { readonly operation: 'SendMessage'; readonly request: MessageRequest }
  | {
      readonly operation: 'SendStreamingMessage';
      readonly request: MessageRequest;
      /** Whether the stream also ends when the agent asks for input after this message. */
      readonly endsWhenAsked: boolean;
    }
  | { readonly operation: 'GetTask'; readonly request: GetTaskRequest }
  /** By the caller's own name, under which a message may stand that never becomes a task. */
  | { readonly operation: 'GetNamedTask'; readonly request: GetTaskRequest }
  | { readonly operation: 'ListTasks'; readonly request: ListTasksRequest }
  | { readonly operation: 'CancelTask'; readonly request: CancelTaskRequest }
  | { readonly operation: 'SubscribeToTask'; readonly request: SubscribeToTaskRequest }
  | {
      readonly operation: 'CreateTaskPushNotificationConfig';
      readonly request: { readonly taskId: string; readonly config: PushConfigInput };
    }
  | {
      readonly operation: 'GetTaskPushNotificationConfig';
      readonly request: GetPushConfigRequest;
    }
  | {
      readonly operation: 'ListTaskPushNotificationConfigs';
      readonly request: ListPushConfigsRequest;
    }
  | {
      readonly operation: 'DeleteTaskPushNotificationConfig';
      readonly request: DeletePushConfigRequest;
    }
  | { readonly operation: 'GetExtendedAgentCard' };

/** One step of a stream. */
export interface StreamUpdate {
  readonly response: StreamResponse;
  /** Whether the stream ends with it because the task is done or waits for the caller. */
  readonly isLast: boolean;
  /** Of an artifact update: its place among the task's artifacts, from 0. */
  readonly artifactIndex?: number;
}

/** Writes the answers of one wire version. Lists of tasks are 1.0's alone, so they are written as they are. */
export interface AnswerEncoder {
  readonly answer: (answer: SendMessageResponse) => unknown;
  readonly task: (task: Task) => unknown;
  /** An extended card. */
  readonly card: (card: AgentCard) => object;
  /** What tells that an agent has no extended card. */
  readonly noCard: Extract<ErrorKey, 'operationNotSupported' | 'extendedCardNotConfigured'>;
  /** The events that tell of an update, in order. */
  readonly events: (update: StreamUpdate) => readonly unknown[];
  readonly pushConfig: (config: PushConfig) => unknown;
  readonly pushConfigs: (page: PushConfigPage) => unknown;
  /** What tells that a push notification config is deleted. */
  readonly pushConfigDeleted: unknown;
  readonly pushForm: PushForm;
}

/** A request that was read: what it asks for, and how its answers are written. */
export interface DecodedCall {
  readonly call: OperationCall;
  readonly encoder: AnswerEncoder;
}

/**
 * Reads the parameters of one method.
 * @throws RelayError invalidParams, or that the operation is not supported
 */
export type MethodDecoder = (params: unknown) => DecodedCall;
