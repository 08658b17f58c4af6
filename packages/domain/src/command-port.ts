import type { Refusal } from '@relay/protocol';
import type { ExchangeSnapshot } from './exchange/exchange.ts';
import type { TaskCommand, TaskSnapshot } from './task.ts';

export type TaskCommandReply =
  | {
      readonly type: 'done';
      readonly snapshot: TaskSnapshot;
      /** Where the snapshot stands in the record. */
      readonly sequence: number;
      /** The revision at which the command took effect: now, or when it first came. */
      readonly revision: number;
    }
  /** The message stands in a chat; it may still become a task. */
  | { readonly type: 'exchange'; readonly exchange: ExchangeSnapshot }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** The way to the task-manager: a direct call in one process, NATS request-reply between processes. */
export interface TaskCommandPort {
  /**
   * @param deadline milliseconds since the epoch; a command is not executed after it
   * @throws never for a refusal: that is a reply
   */
  execute(command: TaskCommand, deadline: number): Promise<TaskCommandReply>;
}
