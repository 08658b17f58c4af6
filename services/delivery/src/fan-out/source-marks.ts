import {
  type InboxEvent,
  type Lease,
  noMarks,
  type Partition,
  type SourceMarks,
  type SourceStreams,
} from '@relay/bus';

/** What one change means for one agent. Its events go into the inbox together, under one mark. */
export interface AgentEvents {
  /** The right to append them: the lease of the change's partition. */
  readonly lease: Lease;
  readonly source: keyof SourceMarks;
  readonly partition: Partition;
  /** Sequence of the change in its stream. */
  readonly sequence: number;
  readonly events: readonly InboxEvent[];
}

/** Whether the events are in the inbox already: one owner appends a partition's events in source order. */
export function isCovered(
  marks: SourceMarks,
  { source, partition, sequence }: AgentEvents,
): boolean {
  return sequence <= (marks[source].sequences[partition] ?? 0);
}

/** The marks of an inbox message that holds these events; those of other partitions stay. */
export function markAppended(marks: SourceMarks, batch: readonly AgentEvents[]): SourceMarks {
  const sequences = {
    tasks: [...marks.tasks.sequences],
    chats: [...marks.chats.sequences],
    deliveries: [...marks.deliveries.sequences],
  };
  for (const { source, partition, sequence } of batch) sequences[source][partition] = sequence;
  return {
    tasks: { ...marks.tasks, sequences: sequences.tasks },
    chats: { ...marks.chats, sequences: sequences.chats },
    deliveries: { ...marks.deliveries, sequences: sequences.deliveries },
  };
}

/** Marks of a stream that took the name of another one say nothing about it. */
export function marksOfStreams(marks: SourceMarks, streams: SourceStreams): SourceMarks {
  const none = noMarks(streams);
  return {
    tasks: marks.tasks.created === none.tasks.created ? marks.tasks : none.tasks,
    chats: marks.chats.created === none.chats.created ? marks.chats : none.chats,
    deliveries:
      marks.deliveries.created === none.deliveries.created ? marks.deliveries : none.deliveries,
  };
}
