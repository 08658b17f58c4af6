import type { Bus, LiveSubscription, TaskRecord } from '@relay/bus';
import type { TaskId } from '@relay/protocol';
import { FollowedTask } from './followed-task.ts';

/** Milliseconds. */
const sweepInterval = 1_000;
/** What was heard is only a hint, so each task is read again after about so long. */
const safetyInterval = 15_000;
const readsAtOnce = 64;

interface Following {
  readonly task: FollowedTask;
  readonly subscription: LiveSubscription;
  followers: number;
  nextReadAt: number;
}

/**
 * The tasks that calls of this process wait for. However many wait for one task, it is heard through one
 * subscription and parsed once for each change.
 */
export class FollowedTasks {
  readonly #record: TaskRecord;
  readonly #following = new Map<TaskId, Following>();
  readonly #sweeper: NodeJS.Timeout;
  #isSweeping = false;

  constructor(bus: Pick<Bus, 'tasks' | 'live'>) {
    this.#record = bus.tasks;
    this.#sweeper = setInterval(() => void this.#sweep(), sweepInterval).unref();
    bus.live.onReconnect(() => this.#rereadAll());
  }

  /**
   * Runs with the task followed: every change that is stored from then on is heard.
   * @throws RelayError unavailable where NATS cannot promise that now
   */
  async during<Result>(
    taskId: TaskId,
    run: (task: FollowedTask) => Promise<Result>,
  ): Promise<Result> {
    const following = this.#following.get(taskId) ?? this.#begin(taskId);
    following.followers += 1;
    try {
      await following.subscription.ready;
      return await run(following.task);
    } finally {
      following.followers -= 1;
      if (following.followers === 0) this.#end(taskId, following);
    }
  }

  close(): void {
    clearInterval(this.#sweeper);
    for (const [taskId, following] of this.#following) this.#end(taskId, following);
  }

  #begin(taskId: TaskId): Following {
    const task = new FollowedTask(() => this.#record.readState(taskId));
    const subscription = this.#record.follow(taskId, (recorded) => task.offer(recorded));
    const following = { task, subscription, followers: 0, nextReadAt: nextSafetyRead() };
    this.#following.set(taskId, following);
    return following;
  }

  #end(taskId: TaskId, following: Following): void {
    following.subscription.unsubscribe();
    if (this.#following.get(taskId) === following) this.#following.delete(taskId);
  }

  #rereadAll(): void {
    for (const following of this.#following.values()) following.nextReadAt = 0;
    void this.#sweep();
  }

  async #sweep(): Promise<void> {
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    const now = performance.now();
    const due = [...this.#following].filter(([, { nextReadAt }]) => nextReadAt <= now);
    for (let at = 0; at < due.length; at += readsAtOnce) {
      const batch = due.slice(at, at + readsAtOnce);
      await Promise.all(batch.map(([taskId, following]) => this.#reread(taskId, following)));
    }
    this.#isSweeping = false;
  }

  /** A read that fails stays due. */
  async #reread(taskId: TaskId, following: Following): Promise<void> {
    if (following.followers === 0) return;
    const recorded = await this.#record.readState(taskId).catch(() => 'unavailable' as const);
    if (recorded === 'unavailable') return;
    following.nextReadAt = nextSafetyRead();
    if (recorded) following.task.offer(recorded);
  }
}

/** Jittered, or all tasks of a busy moment would be read again at once. */
function nextSafetyRead(): number {
  return performance.now() + safetyInterval * (0.8 + 0.4 * Math.random());
}
