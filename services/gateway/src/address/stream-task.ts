import { type ExchangeSnapshot, viewAnswer } from '@relay/domain';
import { type MessageRequest, RelayError, type SubscribeToTaskRequest } from '@relay/protocol';
import { readLastEventId } from '../streaming/last-event-id.ts';
import type { StreamEnd, Tell, UpdatesSource } from '../streaming/task-updates.ts';
import type { CommandReply } from '../tasks/task-commands.ts';
import { readTaskId, readTaskOfPair } from '../tasks/task-reads.ts';
import { type AddressCall, pairOf } from './address-call.ts';
import { answerStream } from './answer-stream.ts';
import { type ChatAnswer, waitForChatAnswer } from './chat-answer.ts';
import { commandFor } from './message-to-agent.ts';
import { sendWithPush } from './push-with-message.ts';
import { endsWhenAskedAfter, endsWhenFinal, type StreamStart, tellTask } from './tell-task.ts';
import { duringWait, type Waiting } from './waiting-call.ts';

/** What the sender of a message wants of its stream. */
interface Wish {
  readonly historyLength: number | undefined;
  /** @param messageRevision the task's, when it took the message in */
  readonly endsAfter: (messageRevision: number) => StreamEnd;
}

/** SendStreamingMessage: the Task, then its updates. */
export async function sendStreamingMessage(
  call: AddressCall,
  request: MessageRequest,
  endsWhenAsked: boolean,
): Promise<void> {
  const { config } = call.context;
  const command = await commandFor(call, request);
  const push = request.configuration?.taskPushNotificationConfig;
  const wait = { taskId: command.taskId, seconds: config.streamSeconds };
  const wish: Wish = {
    historyLength: request.configuration?.historyLength,
    endsAfter: endsWhenAsked ? endsWhenAskedAfter : () => endsWhenFinal,
  };
  return duringWait(call, wait, (waiting) =>
    sendWithPush(call, command, push).then((reply) =>
      reply.type === 'exchange'
        ? streamFromChat(call, waiting, reply.exchange, wish)
        : streamFromReply(call, waiting, reply, wish),
    ),
  );
}

/** SubscribeToTask: an open task, or what a reader has not seen of a final one. */
export async function subscribeToTask(
  call: AddressCall,
  { id }: SubscribeToTaskRequest,
): Promise<void> {
  const { config, record } = call.context;
  const taskId = readTaskId(id);
  call.request.record.taskId = taskId;
  const begin = async ({ task }: Waiting): Promise<StreamStart> => {
    const recorded = await readTaskOfPair(record, taskId, pairOf(call));
    const { snapshot } = recorded;
    const seen = readLastEventId(call.request.headers['last-event-id'], snapshot);
    if (seen === undefined && endsWhenFinal(snapshot)) throw new RelayError('taskFinished');
    task.offer(recorded);
    return { snapshot, seen, endsAt: endsWhenFinal };
  };
  return duringWait(call, { taskId, seconds: config.streamSeconds }, (waiting) =>
    begin(waiting).then((start) => streamTask(call, waiting, start)),
  );
}

/** One Message; or, where the agent makes a task of it, the Task and its updates. */
function streamFromChat(
  call: AddressCall,
  waiting: Waiting,
  exchange: ExchangeSnapshot,
  wish: Wish,
): Promise<void> {
  return answerStream(call, waiting, (tell) =>
    waitForChatAnswer(call, waiting, exchange).then(
      answerTeller(sourceOf(call, waiting), wish, tell),
    ),
  );
}

async function streamFromReply(
  call: AddressCall,
  waiting: Waiting,
  { snapshot, revision }: CommandReply,
  { historyLength, endsAfter }: Wish,
): Promise<void> {
  const endsAt = endsAfter(revision);
  const seen = readLastEventId(call.request.headers['last-event-id'], snapshot);
  if (seen === undefined) return streamTask(call, waiting, { snapshot, endsAt, historyLength });
  const recorded = await call.context.record.read(snapshot.task.id);
  if (recorded) waiting.task.offer(recorded);
  return streamTask(call, waiting, { snapshot, seen, endsAt });
}

// From here on nothing may hold the task while its next change is waited for: no closure and no suspended
// function has it in its scope.

function streamTask(call: AddressCall, waiting: Waiting, start: StreamStart): Promise<void> {
  return answerStream(call, waiting, (tell) => tellTask(sourceOf(call, waiting), start, tell));
}

function sourceOf({ context }: AddressCall, { task, openCall }: Waiting): UpdatesSource {
  return { task, record: context.record, signal: openCall.signal };
}

function answerTeller(source: UpdatesSource, { historyLength, endsAfter }: Wish, tell: Tell) {
  return (answer: ChatAnswer): Promise<void> => {
    if (answer.type === 'message') {
      const { message, revision } = answer;
      return tell({ revision, response: { message }, isLast: true });
    }
    const { snapshot } = answer.recorded;
    const response = viewAnswer(snapshot, 1, historyLength);
    return 'message' in response
      ? tell({ revision: snapshot.revision, response, isLast: true })
      : tellTask(source, { snapshot, endsAt: endsAfter(1), historyLength }, tell);
  };
}
