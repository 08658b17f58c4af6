import { isAnswered, type TaskSnapshot, viewAnswer } from '@relay/domain';
import type { SendMessageResponse } from '@relay/protocol';
import type { CommandReply } from '../tasks/task-commands.ts';
import type { AddressCall } from './address-call.ts';
import { readMessage } from './message-to-agent.ts';
import { duringWait, type Waiting } from './waiting-call.ts';

/** SendMessage: waits for the answer unless the caller wants the Task at once. */
export async function sendMessage(call: AddressCall): Promise<SendMessageResponse> {
  const { commands, config } = call.context;
  const { request, command } = readMessage(call);
  const { historyLength, returnImmediately } = request.configuration ?? {};
  if (returnImmediately) {
    const { snapshot, revision } = await commands.execute(command);
    return viewAnswer(snapshot, revision, historyLength);
  }
  const wait = { taskId: command.taskId, seconds: config.sendWaitSeconds };
  return duringWait(call, wait, async (waiting) => {
    const taken = await commands.execute(command);
    const answered = await answerOf(taken, waiting);
    waiting.openCall.throwIfRevoked();
    const snapshot = answered ?? (await asItStands(call, taken));
    return viewAnswer(snapshot, taken.revision, historyLength);
  });
}

/** The task once it answers the message; undefined where the call ended before. */
async function answerOf(
  taken: CommandReply,
  { task, openCall }: Waiting,
): Promise<TaskSnapshot | undefined> {
  let { snapshot } = taken;
  while (!isAnswered(snapshot, taken.revision)) {
    const newer = await task.newerThan(snapshot.revision, openCall.signal);
    if (!newer) return undefined;
    snapshot = newer.snapshot;
  }
  return snapshot;
}

/** What was heard may lag behind, so the record says how the task stands. */
async function asItStands({ context }: AddressCall, taken: CommandReply): Promise<TaskSnapshot> {
  const recorded = await context.record.read(taken.snapshot.task.id);
  return recorded?.snapshot ?? taken.snapshot;
}
