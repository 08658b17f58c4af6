import type { Checkpoint } from '@relay/bus';
import type { ChangeSource } from './change-source.ts';

const rewindMilliseconds = 24 * 60 * 60 * 1_000;

/**
 * Where to go on reading a source after a checkpoint. One that does not fit the stream was saved before
 * the store was rolled back: then a day is read again, since repeats are harmless.
 */
export async function findStart(source: ChangeSource, checkpoint: Checkpoint): Promise<number> {
  if (await fits(source, checkpoint)) return checkpoint.sequence + 1;
  return source.stream.firstSequenceSince(new Date(Date.now() - rewindMilliseconds));
}

/**
 * Whether the source holds that change at that sequence. A message that is gone is good: its task was
 * final for long and was swept.
 */
export async function fits(
  { stream, changeIdOf }: ChangeSource,
  { sequence, changeId }: Pick<Checkpoint, 'sequence' | 'changeId'>,
): Promise<boolean> {
  if (sequence === 0) return true;
  if (sequence > (await stream.lastSequence())) return false;
  const message = await stream.readAt(sequence);
  return message === undefined || changeIdOf(message) === changeId;
}
