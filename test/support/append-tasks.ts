import { type Bus, encodeTask, type RecordedTask } from '@relay/bus';
import { decide, evolve, type TaskCommand, toRecordedChange } from '@relay/domain';

/** Appends the change of a command to a task as it is known, without a task-manager. */
export async function appendChange(
  bus: Bus,
  command: TaskCommand,
  known?: Pick<RecordedTask, 'snapshot' | 'sequence' | 'recordedBytes'>,
) {
  const decision = decide(known?.snapshot, command);
  if (decision.type !== 'change') throw new Error(`no change: ${JSON.stringify(decision)}`);
  const snapshot = evolve(known?.snapshot, decision.change);
  const pair = { change: toRecordedChange(decision.change), snapshot };
  const payload = encodeTask(pair);
  const outcome = await bus.tasks.append(pair, payload, known);
  if (outcome.type !== 'appended') throw new Error(`not appended: ${outcome.type}`);
  const recordedBytes = (known?.recordedBytes ?? 0) + payload.length;
  return { snapshot, sequence: outcome.sequence, recordedBytes };
}

/** Appends so many new tasks, some at a time. */
export async function appendTasks(
  bus: Bus,
  count: number,
  command: () => TaskCommand,
): Promise<void> {
  const atOnce = 100;
  for (let done = 0; done < count; done += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, count - done) }, command);
    await Promise.all(batch.map((each) => appendChange(bus, each)));
  }
}
