import type { DeliveryToWrite, StreamMessage } from '@relay/bus';
import { isAfter, type Place } from '../feed/position.ts';
import type { DeliveryRecords, LoadedDelivery } from './delivery-records.ts';
import type { Lane } from './lane.ts';
import { LaneSchedule } from './lane-schedule.ts';
import { countEnded, type Pending } from './metrics.ts';
import { pass, placeKey, type QueuedDelivery } from './queued-delivery.ts';
import { asPending } from './record-changes.ts';

type Written = Omit<DeliveryToWrite, 'key'>;

const changedAtOnce = 32;

export interface UndeliveredOptions {
  readonly records: DeliveryRecords;
  /** There may be something to send. */
  readonly onDue: () => void;
  /** Something is done with, or recorded. */
  readonly onProgress: () => void;
  /** The lease is lost, so nothing more can be written. */
  readonly onLost: () => void;
  /** Something is held or given up. */
  readonly onEnded: (place: Place) => void;
  /** What was held or given up has been redriven. */
  readonly onRedriven: (message: StreamMessage) => void;
  readonly onError: (error: unknown) => void;
}

/** What one endpoint has not taken: in memory as long as it goes well, in records when it does not. */
export class Undelivered {
  readonly schedule: LaneSchedule;
  readonly #options: UndeliveredOptions;
  readonly #byPlace = new Map<string, QueuedDelivery>();
  /** Those that have no record, nor is one being written. */
  readonly #unrecorded = new Set<QueuedDelivery>();

  constructor(options: UndeliveredOptions) {
    this.#options = options;
    this.schedule = new LaneSchedule(options.onDue);
  }

  get size(): number {
    return this.#byPlace.size;
  }

  get pending(): Pending {
    let since = Number.POSITIVE_INFINITY;
    for (const delivery of this.#byPlace.values()) since = Math.min(since, delivery.since);
    return { count: this.#byPlace.size, since };
  }

  /** How many wait in records. */
  get recorded(): number {
    return this.#byPlace.size - this.#unrecorded.size;
  }

  find(place: Place): QueuedDelivery | undefined {
    return this.#byPlace.get(placeKey(place));
  }

  add(delivery: QueuedDelivery): Lane {
    const lane = this.schedule.laneOf(delivery.lane);
    lane.insert(delivery);
    this.#byPlace.set(placeKey(delivery.place), delivery);
    if (!isRecorded(delivery)) this.#unrecorded.add(delivery);
    return lane;
  }

  /** Writes the records that are missing in a lane up to its newest delivery; its feed goes on then. */
  recordUpTo(lane: Lane, delivery: QueuedDelivery): void {
    void this.recordLane(lane);
    // It is older than others that are recorded.
    if (!isRecorded(delivery)) void this.#record(lane, delivery);
  }

  /**
   * Writes the records that are missing at the end of a lane; their feed goes on without them then.
   * @param through what is further on is left out
   */
  async recordLane(lane: Lane, through?: Place): Promise<void> {
    const { deliveries } = lane;
    const recorded = deliveries.findLastIndex(isRecorded);
    const missing = deliveries
      .slice(recorded + 1)
      .filter(({ place }) => !through || !isAfter(place, through));
    await Promise.all(missing.map((delivery) => this.#record(lane, delivery)));
  }

  /**
   * Writes all records that are missing, so that the feed can go on. It costs nothing where none is: it is
   * asked for again and again while ten thousands are being written.
   * @param through what is further on is left out
   */
  recordAll(through?: Place): void {
    const lanes = new Set([...this.#unrecorded].map(({ lane }) => this.schedule.laneOf(lane)));
    for (const lane of lanes) void this.recordLane(lane, through);
  }

  /** Resolves when all records are there that are being written. */
  async written(): Promise<void> {
    await Promise.all([...this.schedule.lanes].map(({ written }) => written));
  }

  /** Writes when it is tried again. What is behind it in its lane waits in records, too. */
  async recordRetry(lane: Lane, delivery: QueuedDelivery, loaded: LoadedDelivery): Promise<void> {
    const written = this.#write(lane, delivery, async () => asPending(loaded, delivery.dueAt));
    void this.recordLane(lane);
    await written;
  }

  /** Writes its last record, after which its lane goes on. @param known with the attempts made of it */
  async end(
    delivery: QueuedDelivery,
    known: LoadedDelivery | undefined,
    change: (loaded: LoadedDelivery) => Written,
  ): Promise<void> {
    if (delivery.isEnding) return;
    this.#unrecorded.delete(delivery);
    delivery.isEnding = true;
    const { records, onLost, onEnded, onRedriven } = this.#options;
    const lane = this.schedule.laneOf(delivery.lane);
    const write = async () => {
      const loaded = known ?? (await records.load(delivery));
      if (loaded === 'gone') return true;
      if (loaded === 'lost') return false;
      const written = change(loaded);
      countEnded(written.record.status);
      return records.write(delivery, written);
    };
    if (!(await lane.record(write))) return onLost();
    onEnded(delivery.place);
    this.finish(delivery);
    const { heard } = delivery;
    if (heard && heard.sequence > delivery.recordSequence) onRedriven(heard);
  }

  /** It is done with. */
  finish(delivery: QueuedDelivery): void {
    if (delivery.isDone) return;
    delivery.isDone = true;
    this.#unrecorded.delete(delivery);
    const lane = this.schedule.laneOf(delivery.lane);
    lane.remove(delivery);
    this.#byPlace.delete(placeKey(delivery.place));
    this.schedule.arrange(lane);
    pass(delivery);
    this.#options.onProgress();
  }

  /** It is done with, and so is its record. */
  finishAndRemove(delivery: QueuedDelivery): void {
    this.finish(delivery);
    if (!delivery.isRecording) this.#removeRecord(delivery);
  }

  /** The feed is read again: what it offered and was not begun will be offered again. */
  forgetOffered(): void {
    for (const delivery of this.#byPlace.values()) {
      delivery.onPassed = undefined;
      if (!delivery.isInFlight && !isRecorded(delivery)) this.finish(delivery);
    }
  }

  /** Changes all that is not in flight, some at a time. */
  async changeAll(change: (delivery: QueuedDelivery) => Promise<void> | void): Promise<void> {
    const deliveries = [...this.#byPlace.values()].filter(({ isInFlight }) => !isInFlight);
    for (let at = 0; at < deliveries.length; at += changedAtOnce) {
      const some = deliveries.slice(at, at + changedAtOnce);
      const outcomes = await Promise.allSettled(some.map(async (delivery) => change(delivery)));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') this.#options.onError(outcome.reason);
      }
    }
  }

  #record(lane: Lane, delivery: QueuedDelivery): Promise<void> {
    return this.#write(lane, delivery, async () => {
      const loaded = delivery.isDone ? 'gone' : await this.#options.records.load(delivery);
      // It was delivered meanwhile.
      if (loaded === 'gone' || loaded === 'lost') return loaded;
      return asPending(loaded, loaded.record.createdAt);
    });
  }

  async #write(
    lane: Lane,
    delivery: QueuedDelivery,
    makeRecord: () => Promise<Written | 'gone' | 'lost'>,
  ): Promise<void> {
    const { records, onLost, onError } = this.#options;
    this.#unrecorded.delete(delivery);
    delivery.isRecording = true;
    const write = async () => {
      const record = await makeRecord();
      if (record === 'gone') return true;
      return record !== 'lost' && (await records.write(delivery, record));
    };
    try {
      if (await lane.record(write)) this.#afterRecord(delivery);
      else onLost();
    } catch (error) {
      onError(error);
    }
  }

  #afterRecord(delivery: QueuedDelivery): void {
    delivery.isRecording = false;
    delivery.heard = undefined;
    if (delivery.isDone) return this.#removeRecord(delivery);
    if (!delivery.isInFlight) delivery.event = undefined;
    pass(delivery);
    this.#options.onProgress();
  }

  #removeRecord(delivery: QueuedDelivery): void {
    const { records, onError } = this.#options;
    if (delivery.recordSequence > 0) records.remove(delivery).catch(onError);
  }
}

function isRecorded({ isRecording, isEnding, recordSequence }: QueuedDelivery): boolean {
  return isRecording || isEnding || recordSequence > 0;
}
