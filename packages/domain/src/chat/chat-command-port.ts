import type { Refusal } from '@relay/protocol';
import type { ChatChange, ChatCommand, ChatSnapshot } from './chat.ts';

export type ChatCommandReply =
  | {
      readonly type: 'done';
      readonly snapshot: ChatSnapshot;
      /** Absent where there was nothing to do, as for a command that came before. */
      readonly change: ChatChange | undefined;
    }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** The way to the task-manager for what is asked of chats, as for tasks. */
export interface ChatCommandPort {
  /**
   * @param deadline milliseconds since the epoch; a command is not executed after it
   * @throws never for a refusal: that is a reply
   */
  execute(command: ChatCommand, deadline: number): Promise<ChatCommandReply>;
}
