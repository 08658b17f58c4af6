import { z } from 'zod';

/** One event of a task's stream. */
export interface StreamUpdate {
  readonly id: number;
  readonly taskId: string;
  /** Of the Task and of status updates. */
  readonly state?: string;
}

const statusSchema = z.object({ state: z.string() });
const resultSchema = z.union([
  z.object({ task: z.object({ id: z.string(), status: statusSchema }) }),
  z.object({ statusUpdate: z.object({ taskId: z.string(), status: statusSchema }) }),
  z.object({ artifactUpdate: z.object({ taskId: z.string() }) }),
]);
const dataSchema = z.object({ result: resultSchema });

/** Reads the updates of a `text/event-stream`; what else it holds ends the stream soon. */
export async function* readUpdates(
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<StreamUpdate, void> {
  let buffered = '';
  for await (const chunk of body) {
    buffered += Buffer.from(chunk).toString();
    const events = buffered.split('\n\n');
    buffered = events.pop() ?? '';
    yield* events.flatMap(readUpdate);
  }
}

/** Nothing for a comment. */
function readUpdate(text: string): StreamUpdate[] {
  const fields = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(': ')), line] as const),
  );
  const valueOf = (name: string) => fields.get(name)?.slice(name.length + 2);
  const [id, data] = [valueOf('id'), valueOf('data')];
  if (id === undefined || data === undefined) return [];
  const { result } = dataSchema.parse(JSON.parse(data));
  if ('task' in result) {
    return [{ id: Number(id), taskId: result.task.id, state: result.task.status.state }];
  }
  if ('artifactUpdate' in result) return [{ id: Number(id), taskId: result.artifactUpdate.taskId }];
  const { taskId, status } = result.statusUpdate;
  return [{ id: Number(id), taskId, state: status.state }];
}
