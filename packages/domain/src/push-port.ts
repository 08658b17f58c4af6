import type {
  AgentId,
  PushConfig,
  PushConfigInput,
  PushConfigPage,
  PushForm,
  TaskId,
} from '@relay/protocol';

/**
 * From which change of its task on a config is told: from those after a revision; or from the one that takes
 * a message in, where it came with that message. Until then it is as if it were not there.
 */
export type PushStart = { readonly afterRevision: number } | { readonly messageId: string };

/** What can be asked of delivery about the push notification configs of a task. */
export interface PushOperations {
  /** The same again makes no second one. */
  'set-push-config': {
    readonly input: OfTask & {
      readonly config: PushConfigInput;
      readonly form: PushForm;
      readonly start: PushStart;
    };
    readonly result: PushConfig;
  };
  /** Without an id: the one that was given none, else the latest. */
  'get-push-config': {
    readonly input: OfTask & { readonly configId: string | undefined };
    readonly result: PushConfig;
  };
  'list-push-configs': {
    readonly input: OfTask & {
      /** All, where it is 0. */
      readonly pageSize: number;
      readonly pageToken: string | undefined;
    };
    readonly result: PushConfigPage;
  };
  'delete-push-config': {
    readonly input: OfTask & { readonly configId: string };
    readonly result: null;
  };
  /** Forgets the config that came with a message which was refused. */
  'withdraw-push-config': {
    readonly input: OfTask & { readonly messageId: string };
    readonly result: null;
  };
}

interface OfTask {
  /** The requester. */
  readonly agentId: AgentId;
  readonly taskId: TaskId;
}
