import { type Bucket, type Bus, unavailable } from '@relay/bus';
import type { TaskSnapshot } from '@relay/domain';
import { type AgentId, RelayError, type TaskId } from '@relay/protocol';
import {
  inForce,
  type PushConfigEntry,
  type PushConfigRecord,
  pushConfigRecordSchema,
  tidied,
} from './push-config-record.ts';

/** The task of some configs, and the agent that sent it. */
export interface PushTask {
  readonly taskId: TaskId;
  readonly agentId: AgentId;
}

/** The push notification configs of all tasks, one key for each task that has any. */
export class PushConfigStore {
  readonly #bus: Bus;
  readonly #records: Bucket<PushConfigRecord>;

  constructor(bus: Bus) {
    this.#bus = bus;
    this.#records = bus.bucket('registry', 'push.', pushConfigRecordSchema);
  }

  /** What the task has ever had, whoever asks. */
  async read(taskId: TaskId): Promise<PushConfigRecord | undefined> {
    return (await this.#records.get(taskId))?.value;
  }

  /** @throws RelayError taskNotFound where the agent sent no such task */
  async list(task: PushTask): Promise<readonly PushConfigEntry[]> {
    const snapshot = await this.#requireTask(task);
    const record = await this.read(task.taskId);
    return record ? inForce(record, snapshot) : [];
  }

  /**
   * Changes the configs of a task. One that is not there yet has those that come with its first message.
   * @param deadline milliseconds since the epoch: nothing is changed after it
   * @param change gives the new record, or undefined to leave it
   * @throws RelayError taskNotFound where the task is somebody else's
   */
  async change(
    { taskId, agentId: requesterId }: PushTask,
    deadline: number,
    change: (
      record: PushConfigRecord,
      snapshot: TaskSnapshot | undefined,
    ) => PushConfigRecord | undefined,
  ): Promise<void> {
    const snapshot = (await this.#bus.tasks.read(taskId))?.snapshot;
    if (snapshot && snapshot.requesterId !== requesterId) throw new RelayError('taskNotFound');
    const empty: PushConfigRecord = { requesterId, nextNumber: 0, configs: [] };
    await this.#records.change(taskId, (record = empty) => {
      // Its caller has been told by then that it was not done.
      if (Date.now() >= deadline) throw unavailable();
      if (record.requesterId !== requesterId) throw new RelayError('taskNotFound');
      return change(tidied(record, snapshot, Date.now()), snapshot);
    });
  }

  async #requireTask({ taskId, agentId }: PushTask): Promise<TaskSnapshot> {
    const recorded = await this.#bus.tasks.read(taskId);
    if (recorded?.snapshot.requesterId !== agentId) throw new RelayError('taskNotFound');
    return recorded.snapshot;
  }
}
