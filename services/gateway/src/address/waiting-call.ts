import type { TaskId } from '@relay/protocol';
import type { FollowedTask } from '../waiting/followed-task.ts';
import type { OpenCall } from '../waiting/open-calls.ts';
import type { AddressCall } from './address-call.ts';

/** A task that is followed for one call. */
export interface Waiting {
  readonly task: FollowedTask;
  readonly openCall: OpenCall;
}

/** Runs with the task followed: what is stored from then on is heard, so a command may be sent. */
export function duringWait<Result>(
  { context, caller, reply }: AddressCall,
  { taskId, seconds }: { readonly taskId: TaskId; readonly seconds: number },
  run: (waiting: Waiting) => Promise<Result>,
): Promise<Result> {
  return context.openCalls.during({ caller, response: reply.raw, seconds }, (openCall) =>
    context.followedTasks.during(taskId, (task) => run({ task, openCall })),
  );
}
