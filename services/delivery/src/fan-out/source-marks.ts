import { type InboxEvent, type Lease, noMarks, type Partition, type SourceMarks } from '@relay/bus';

/** What one change means for one agent. Its events go into the inbox together, under one mark. */
export interface AgentEvents {
  /** The right to append them: the lease of the change's partition. */
  readonly lease: Lease;
  readonly partition: Partition;
  /** Sequence of the change in TASKS. */
  readonly sequence: number;
  readonly events: readonly InboxEvent[];
}

/** Whether the events are in the inbox already: one owner appends a partition's events in source order. */
export function isCovered({ tasks }: SourceMarks, { partition, sequence }: AgentEvents): boolean {
  return sequence <= (tasks.sequences[partition] ?? 0);
}

/** The marks of an inbox message that holds these events; those of other partitions stay. */
export function markAppended(marks: SourceMarks, batch: readonly AgentEvents[]): SourceMarks {
  const { created } = marks.tasks;
  const sequences = [...marks.tasks.sequences];
  for (const { partition, sequence } of batch) sequences[partition] = sequence;
  return { tasks: { created, sequences } };
}

/** Marks of a stream that took the name of another one say nothing about it. */
export function marksOfStream(marks: SourceMarks, created: string): SourceMarks {
  return marks.tasks.created === created ? marks : noMarks(created);
}
