import { isFinal, type TaskSnapshot, viewTask } from '@relay/domain';
import { RelayError, subscribeToTaskRequestSchema, validate } from '@relay/protocol';
import { readLastEventId } from '../streaming/last-event-id.ts';
import { type TaskUpdate, updatesAfter } from '../streaming/task-updates.ts';
import { readTaskId, readTaskOfPair } from '../tasks/task-reads.ts';
import { type AddressCall, pairOf } from './address-call.ts';
import { answerStream } from './answer-stream.ts';
import { readMessage } from './message-to-agent.ts';
import { duringWait, type Waiting } from './waiting-call.ts';

/** Where a stream begins: after a revision that the reader has seen, else with the Task. */
interface Start {
  readonly snapshot: TaskSnapshot;
  readonly seen: number | undefined;
  readonly historyLength?: number | undefined;
}

/** SendStreamingMessage: the Task, then its updates. */
export async function sendStreamingMessage(call: AddressCall, params: unknown): Promise<void> {
  const { commands, config, record } = call.context;
  const { request, command } = readMessage(call, params);
  const wait = { taskId: command.taskId, seconds: config.streamSeconds };
  await duringWait(call, wait, async (waiting) => {
    const { snapshot } = await commands.execute(command);
    const seen = readLastEventId(call.request.headers['last-event-id'], snapshot);
    const recorded = seen === undefined ? undefined : await record.read(command.taskId);
    if (recorded) waiting.task.offer(recorded);
    const { historyLength } = request.configuration ?? {};
    await answerStream(
      call,
      waiting,
      updatesFrom(call, waiting, { snapshot, seen, historyLength }),
    );
  });
}

/** SubscribeToTask: an open task, or what a reader has not seen of a final one. */
export async function subscribeToTask(call: AddressCall, params: unknown): Promise<void> {
  const { config, record } = call.context;
  const taskId = readTaskId(validate(subscribeToTaskRequestSchema, params).id);
  call.request.record.taskId = taskId;
  await duringWait(call, { taskId, seconds: config.streamSeconds }, async (waiting) => {
    const recorded = await readTaskOfPair(record, taskId, pairOf(call));
    const { snapshot } = recorded;
    const seen = readLastEventId(call.request.headers['last-event-id'], snapshot);
    if (seen === undefined && isFinal(snapshot.task.status.state)) {
      throw new RelayError('taskFinished');
    }
    waiting.task.offer(recorded);
    await answerStream(call, waiting, updatesFrom(call, waiting, { snapshot, seen }));
  });
}

async function* updatesFrom(
  { context }: AddressCall,
  { task, openCall }: Waiting,
  { snapshot, seen, historyLength }: Start,
): AsyncGenerator<TaskUpdate, void> {
  const { revision } = snapshot;
  if (seen === undefined) {
    yield { revision, response: { task: viewTask(snapshot.task, historyLength) } };
    if (isFinal(snapshot.task.status.state)) return;
  }
  yield* updatesAfter(seen ?? revision, task, context.record, openCall.signal);
}
