import {
  type ExchangeSnapshot,
  isFinal,
  type TaskSnapshot,
  viewAnswer,
  viewTask,
} from '@relay/domain';
import { type MessageRequest, RelayError, type SubscribeToTaskRequest } from '@relay/protocol';
import { readLastEventId } from '../streaming/last-event-id.ts';
import { type StreamEnd, type TaskUpdate, updatesAfter } from '../streaming/task-updates.ts';
import { readTaskId, readTaskOfPair } from '../tasks/task-reads.ts';
import { type AddressCall, pairOf } from './address-call.ts';
import { answerStream } from './answer-stream.ts';
import { waitForChatAnswer } from './chat-answer.ts';
import { commandFor } from './message-to-agent.ts';
import { duringWait, type Waiting } from './waiting-call.ts';

/** Where a stream begins: after a revision that the reader has seen, else with the Task. */
interface Start {
  readonly snapshot: TaskSnapshot;
  readonly seen: number | undefined;
  readonly endsAt: StreamEnd;
  readonly historyLength?: number | undefined;
}

const endsWhenFinal: StreamEnd = ({ task }) => isFinal(task.status.state);

/** @param messageRevision the task's, when it took in the message that the caller waits for */
const endsWhenAskedAfter =
  (messageRevision: number): StreamEnd =>
  (snapshot) =>
    endsWhenFinal(snapshot) ||
    (snapshot.task.status.state === 'TASK_STATE_INPUT_REQUIRED' &&
      snapshot.statusRevision > messageRevision);

/** SendStreamingMessage: the Task, then its updates. */
export async function sendStreamingMessage(
  call: AddressCall,
  request: MessageRequest,
  endsWhenAsked: boolean,
): Promise<void> {
  const { commands, config, record } = call.context;
  const command = await commandFor(call, request);
  const { historyLength } = request.configuration ?? {};
  const wait = { taskId: command.taskId, seconds: config.streamSeconds };
  await duringWait(call, wait, async (waiting) => {
    const reply = await commands.send(command);
    if (reply.type === 'exchange') {
      const updates = updatesFromChat(call, waiting, reply, { endsWhenAsked, historyLength });
      return answerStream(call, waiting, updates);
    }
    const { snapshot, revision } = reply;
    const seen = readLastEventId(call.request.headers['last-event-id'], snapshot);
    const recorded = seen === undefined ? undefined : await record.read(command.taskId);
    if (recorded) waiting.task.offer(recorded);
    const endsAt = endsWhenAsked ? endsWhenAskedAfter(revision) : endsWhenFinal;
    const start = { snapshot, seen, endsAt, historyLength };
    await answerStream(call, waiting, updatesFrom(call, waiting, start));
  });
}

/** SubscribeToTask: an open task, or what a reader has not seen of a final one. */
export async function subscribeToTask(
  call: AddressCall,
  { id }: SubscribeToTaskRequest,
): Promise<void> {
  const { config, record } = call.context;
  const taskId = readTaskId(id);
  call.request.record.taskId = taskId;
  await duringWait(call, { taskId, seconds: config.streamSeconds }, async (waiting) => {
    const recorded = await readTaskOfPair(record, taskId, pairOf(call));
    const { snapshot } = recorded;
    const seen = readLastEventId(call.request.headers['last-event-id'], snapshot);
    if (seen === undefined && endsWhenFinal(snapshot)) throw new RelayError('taskFinished');
    waiting.task.offer(recorded);
    const start = { snapshot, seen, endsAt: endsWhenFinal };
    await answerStream(call, waiting, updatesFrom(call, waiting, start));
  });
}

/** One Message; or, where the agent makes a task of it, the Task and its updates. */
async function* updatesFromChat(
  call: AddressCall,
  waiting: Waiting,
  { exchange }: { readonly exchange: ExchangeSnapshot },
  { endsWhenAsked, historyLength }: { endsWhenAsked: boolean; historyLength: number | undefined },
): AsyncGenerator<TaskUpdate, void> {
  const answer = await waitForChatAnswer(call, waiting, exchange);
  if (answer.type === 'message') {
    const { message, revision } = answer;
    yield { revision, response: { message }, isLast: true };
    return;
  }
  const { snapshot } = answer.recorded;
  const response = viewAnswer(snapshot, 1, historyLength);
  if ('message' in response) {
    yield { revision: snapshot.revision, response, isLast: true };
    return;
  }
  const endsAt = endsWhenAsked ? endsWhenAskedAfter(1) : endsWhenFinal;
  yield* updatesFrom(call, waiting, { snapshot, seen: undefined, endsAt, historyLength });
}

async function* updatesFrom(
  { context }: AddressCall,
  { task, openCall }: Waiting,
  { snapshot, seen, endsAt, historyLength }: Start,
): AsyncGenerator<TaskUpdate, void> {
  const { revision } = snapshot;
  const isLast = endsAt(snapshot);
  if (seen === undefined) {
    yield { revision, response: { task: viewTask(snapshot.task, historyLength) }, isLast };
  }
  if (isLast && (seen === undefined || seen === revision)) return;
  yield* updatesAfter(
    { revision: seen ?? revision, endsAt },
    task,
    context.record,
    openCall.signal,
  );
}
