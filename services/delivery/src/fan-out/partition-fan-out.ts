import type { CheckpointKeeper, Lease, StreamMessage } from '@relay/bus';
import type { PushWriter } from '../push/push-writer.ts';
import type { AppendContext } from './append-chain.ts';
import { type ChangeSource, type ReadChange, stuckReader } from './change-source.ts';
import type { InboxWriter } from './inbox-writer.ts';
import { Progress } from './progress.ts';
import { recordEvents } from './record-events.ts';
import { findStart, fits } from './start-sequence.ts';

export interface FanOutContext extends AppendContext {
  /** Undefined where there are no push notifications. */
  readonly pushes: PushWriter | undefined;
}

interface ChangeForAgents extends ReadChange {
  readonly sequence: number;
}

/** The fan-out of one partition of a source under one lease, from its takeover until it is lost. */
export class PartitionFanOut {
  readonly partition: number;
  readonly lease: Lease;
  /** The right to append. It ends with this fan-out, also where the lease is held until that is over. */
  readonly #right: Lease;
  readonly #context: FanOutContext;
  readonly #source: ChangeSource;
  readonly #writer: InboxWriter;
  readonly #checkpoint: CheckpointKeeper;
  readonly #progress = new Progress();
  readonly #inWork = new Set<Promise<void>>();
  readonly #startedAt = performance.now();
  #changes = 0;
  #nextSequence: number | undefined;
  #savedSequence = 0;
  #saving: Promise<boolean> = Promise.resolve(true);
  #isOver = false;

  constructor(context: FanOutContext, source: ChangeSource, writer: InboxWriter, lease: Lease) {
    this.partition = Number(lease.name);
    this.#context = context;
    this.#source = source;
    this.#writer = writer;
    this.lease = lease;
    this.#right = { name: lease.name, isHeld: () => !this.#isOver && lease.isHeld() };
    this.#checkpoint = context.bus.checkpoint(`fan-out.${source.name}.${lease.name}`);
  }

  /** Sequence to read from; undefined before the takeover and after the end. */
  get nextSequence(): number | undefined {
    return this.#isOver ? undefined : this.#nextSequence;
  }

  /** Raises the checkpoint's epoch, then finds where to begin. It waits for NATS as long as it may. */
  async takeOver(): Promise<void> {
    const { logger, pause } = this.#context;
    while (this.#right.isHeld()) {
      try {
        const checkpoint = await this.#checkpoint.take(this.#right);
        if (!checkpoint) return;
        this.#savedSequence = checkpoint.sequence;
        this.#nextSequence = await findStart(this.#source, checkpoint);
        const { partition, nextSequence } = this;
        const source = this.#source.name;
        const { epoch } = checkpoint;
        logger.info({ source, partition, epoch, nextSequence }, 'fan_out.taken_over');
        return;
      } catch (error) {
        logger.warn({ partition: this.partition, err: error }, 'fan_out.takeover_waits');
        await pause.wait();
      }
    }
  }

  /** Whether the source no longer holds what was read from it. */
  async isRolledBack(): Promise<boolean> {
    const { doneThrough } = this.#progress;
    return doneThrough !== undefined && !(await fits(this.#source, doneThrough));
  }

  /** Takes the next change; what was taken already is passed over. Resolves when it is done with. */
  accept(message: StreamMessage): Promise<void> {
    if (this.nextSequence === undefined || message.sequence < this.nextSequence) {
      return Promise.resolve();
    }
    this.#nextSequence = message.sequence + 1;
    const change = this.#read(message);
    if (change) this.#changes += 1;
    const work = change ? this.#append(change) : this.#setAside(message);
    this.#inWork.add(work);
    return work.finally(() => this.#inWork.delete(work));
  }

  /** Saves how far everything is done, when that moved. @returns false where that could not be saved */
  save(): Promise<boolean> {
    this.#saving = this.#saving.then(() => this.#saveProgress());
    return this.#saving;
  }

  /** Takes and begins nothing more; resolves when nothing of it is in flight. */
  async close(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#inWork);
    await this.save();
    const durationMs = Math.round(performance.now() - this.#startedAt);
    const { partition } = this;
    const changes = this.#changes;
    const source = this.#source.name;
    this.#context.logger.info({ source, partition, changes, durationMs }, 'fan_out.given_up');
  }

  /** A change that cannot be read must not hold up those behind it. */
  #read(message: StreamMessage): ChangeForAgents | undefined {
    const { sequence } = message;
    try {
      return { sequence, ...this.#source.read(message) };
    } catch (error) {
      const source = this.#source.name;
      this.#context.logger.error({ source, sequence, err: error }, 'fan_out.unreadable');
      return undefined;
    }
  }

  /** What cannot be read is kept where it is seen, before what follows it counts as done. */
  async #setAside({ subject, sequence }: StreamMessage): Promise<void> {
    const finish = this.#progress.beginSettingAside();
    const { bus, pause } = this.#context;
    const reader = stuckReader(this.#source);
    while (this.#right.isHeld()) {
      const { type } = await bus.deliveries.setAside(reader, { subject, sequence });
      if (type === 'appended' || type === 'conflict') return finish();
      await pause.wait();
    }
  }

  async #append({ sequence, changeId, recipients, pushed }: ChangeForAgents): Promise<void> {
    const finish = this.#progress.begin(sequence, changeId);
    const lease = this.#right;
    const { partition } = this;
    const source = this.#source.name;
    const appends = [...recipients].map(([agentId, events]) =>
      this.#writer.append(agentId, { lease, source, partition, sequence, events }),
    );
    const { pushes } = this.#context;
    if (pushed && pushes) appends.push(pushes.write(pushed, { lease, sequence }));
    const outcomes = await Promise.all(appends);
    if (!outcomes.every((isAppended) => isAppended)) return;
    finish();
    recordEvents(changeId, [...recipients.values()].flat());
  }

  async #saveProgress(): Promise<boolean> {
    const { doneThrough } = this.#progress;
    if (!doneThrough || doneThrough.sequence === this.#savedSequence) return true;
    try {
      const isOurs = await this.#checkpoint.save(doneThrough.sequence, doneThrough.changeId);
      if (isOurs) this.#savedSequence = doneThrough.sequence;
      else this.#isOver = true;
      return true;
    } catch (error) {
      // NATS is away, and the next save says the same.
      this.#context.logger.debug({ partition: this.partition, err: error }, 'fan_out.save_waits');
      return false;
    }
  }
}
