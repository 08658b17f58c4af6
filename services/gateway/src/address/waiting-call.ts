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
  const runOnce = once(run);
  return context.openCalls.during({ caller, response: reply.raw, seconds }, (openCall) =>
    context.followedTasks.during(taskId, (task) => runOnce({ task, openCall })),
  );
}

/** Lets go of what the function holds when it is called: who waits for its end would hold it so long. */
function once<Argument, Result>(
  run: (argument: Argument) => Result,
): (argument: Argument) => Result {
  let held: typeof run | undefined = run;
  return (argument) => {
    const taken = held;
    held = undefined;
    if (!taken) throw new Error('This runs once');
    return taken(argument);
  };
}
