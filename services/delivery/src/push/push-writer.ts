import type { Bus, DeliveryToWrite, Lease, Registry } from '@relay/bus';
import { RelayError, type TaskId } from '@relay/protocol';
import type { Logger } from '@relay/runtime';
import type { SharedPause } from '../pause.ts';
import type { PushConfigEntry } from './push-config-record.ts';
import { PushConfigStore } from './push-config-store.ts';
import { PushSenders } from './push-senders.ts';
import { configsToTell, type PushedChange } from './pushed-change.ts';

interface PushWriterContext {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly pause: SharedPause;
  readonly senders: PushSenders;
  readonly store: PushConfigStore;
}

/** Where a change stands in TASKS, and the right to say what becomes of it. */
export interface PushedFrom {
  readonly lease: Pick<Lease, 'isHeld'>;
  readonly sequence: number;
}

const nothing = Buffer.alloc(0);

/** Writes a record of each push notification that a change brings, those of one task in its order. */
export class PushWriter {
  readonly #context: PushWriterContext;
  readonly #last = new Map<TaskId, Promise<boolean>>();

  constructor(context: PushWriterContext) {
    this.#context = context;
  }

  /** @returns true when all are recorded, false when the lease was lost before */
  write(change: PushedChange, from: PushedFrom): Promise<boolean> {
    const { taskId } = change;
    const before = this.#last.get(taskId);
    const written = before
      ? before.then(() => this.#writePatiently(change, from))
      : this.#writePatiently(change, from);
    this.#last.set(taskId, written);
    return written.finally(() => {
      if (this.#last.get(taskId) === written) this.#last.delete(taskId);
    });
  }

  async #writePatiently(change: PushedChange, from: PushedFrom): Promise<boolean> {
    const { logger, pause } = this.#context;
    while (from.lease.isHeld()) {
      try {
        if (await this.#write(change, from)) return true;
      } catch (error) {
        if (!(error instanceof RelayError)) {
          // It must not hold up the changes behind it.
          logger.error({ taskId: change.taskId, err: error }, 'push.unreadable');
          return true;
        }
      }
      await pause.wait();
    }
    return false;
  }

  /** @returns false where something is not recorded for certain */
  async #write(change: PushedChange, { sequence }: PushedFrom): Promise<boolean> {
    const { bus, senders, store } = this.#context;
    if (!(await senders.has(change.agentId))) return true;
    const record = await store.read(change.taskId);
    if (!record) return true;
    const configs = configsToTell(record, change);
    const outcomes = await Promise.all(
      configs.map((config) => bus.deliveries.begin(toDelivery(change, config, sequence))),
    );
    return outcomes.every(({ type }) => type === 'appended' || type === 'conflict');
  }
}

export function createPushWriter(
  context: Pick<PushWriterContext, 'bus' | 'logger' | 'pause'>,
  registry: Registry,
): PushWriter {
  const senders = new PushSenders(registry);
  return new PushWriter({ ...context, senders, store: new PushConfigStore(context.bus) });
}

function toDelivery(
  { agentId, taskId, traceId, eventId, at, task }: PushedChange,
  { endpointId, number, id: configId, form }: PushConfigEntry,
  sequence: number,
): DeliveryToWrite {
  return {
    key: { agentId, subscriptionId: endpointId, sequence, index: number },
    record: {
      status: 'pending',
      eventId,
      type: 'task.updated',
      lane: `${taskId}_${number}`,
      revision: task.revision,
      attemptCount: 0,
      roundAttempts: 0,
      nextAttemptAt: at,
      firstAttemptAt: null,
      lastAttemptAt: null,
      deadLetteredAt: null,
      createdAt: at,
      hasBody: false,
      push: { taskId, configId, form, traceId },
    },
    attempts: [],
    body: nothing,
  };
}
