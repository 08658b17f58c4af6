import { isAnswered, type TaskSnapshot, viewAnswer } from '@relay/domain';
import {
  type MessageRequest,
  RelayError,
  type SendMessageResponse,
  type TaskId,
} from '@relay/protocol';
import type { FollowedTask } from '../waiting/followed-task.ts';
import type { AddressCall } from './address-call.ts';
import { type ChatAnswer, waitForChatAnswer } from './chat-answer.ts';
import { commandFor } from './message-to-agent.ts';
import { sendWithPush } from './push-with-message.ts';
import { duringWait, type Waiting } from './waiting-call.ts';

/** SendMessage: waits for the answer unless the caller wants the Task at once. */
export async function sendMessage(
  call: AddressCall,
  request: MessageRequest,
): Promise<SendMessageResponse> {
  const { config } = call.context;
  const command = await commandFor(call, request);
  const {
    historyLength,
    returnImmediately,
    taskPushNotificationConfig: push,
  } = request.configuration ?? {};
  if (returnImmediately && call.callee.accepts_tasks) {
    const reply = await sendWithPush(call, command, push);
    // A message in the chat is waited for all the same (contract §3.7).
    if (reply.type === 'done') return viewAnswer(reply.snapshot, reply.revision, historyLength);
  }
  const wait = { taskId: command.taskId, seconds: config.sendWaitSeconds };
  return duringWait(call, wait, (waiting) =>
    // The Task as it was taken in must not be held while the call waits for a newer one.
    sendWithPush(call, command, push).then((reply) => {
      if (reply.type === 'exchange') {
        return waitForChatAnswer(call, waiting, reply.exchange).then(chatAnswerView(historyLength));
      }
      const { snapshot, revision } = reply;
      const message = { taskId: command.taskId, revision, historyLength };
      // A task of an agent that takes none was made of a message, and is one like any other.
      return returnImmediately || isAnswered(snapshot, revision)
        ? viewAnswer(snapshot, revision, historyLength)
        : waitForAnswer(call, waiting, message);
    }),
  );
}

/** A function of its own: what waits for the answer must not hold the message in its scope. */
function chatAnswerView(historyLength: number | undefined) {
  return (answer: ChatAnswer): SendMessageResponse =>
    answer.type === 'message'
      ? { message: answer.message }
      : viewAnswer(answer.recorded.snapshot, 1, historyLength);
}

/** A message that was taken in, by the revision that its task had then. */
interface SentMessage {
  readonly taskId: TaskId;
  readonly revision: number;
  readonly historyLength: number | undefined;
}

async function waitForAnswer(
  { context, request }: AddressCall,
  { task, openCall }: Waiting,
  { taskId, revision, historyLength }: SentMessage,
): Promise<SendMessageResponse> {
  context.inFlight.rest(request);
  const answered = await answerTo(revision, task, openCall.signal);
  openCall.throwIfRevoked();
  // What was heard may lag behind, so the record says how the task stands.
  const snapshot = answered ?? (await context.record.read(taskId))?.snapshot;
  if (!snapshot) throw new RelayError('taskNotFound');
  return viewAnswer(snapshot, revision, historyLength);
}

/** The task once it answers the message; undefined where the call ended before. */
async function answerTo(
  messageRevision: number,
  task: FollowedTask,
  signal: AbortSignal,
): Promise<TaskSnapshot | undefined> {
  let seen = messageRevision;
  for (;;) {
    const newer = await task.taskNewerThan(seen, signal);
    if (!newer || isAnswered(newer.snapshot, messageRevision)) return newer?.snapshot;
    seen = newer.snapshot.revision;
  }
}
