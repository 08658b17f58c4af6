import { z } from 'zod';

/** Where a feed is in its agent's inbox: behind one event of one message. */
export const positionSchema = z.object({
  /** Of the message in INBOX. */
  sequence: z.int().min(1),
  /** Of the last event passed in it. */
  index: z.int().min(0),
  /** How many events the message holds. */
  count: z.int().min(1),
  eventId: z.uuid(),
});
export type Position = z.infer<typeof positionSchema>;

/** Whether a position is further on than another one; `null` is before everything. */
export function isAfter(position: Position | null, other: Position | null): boolean {
  if (position === null) return false;
  if (other === null) return true;
  return (
    position.sequence > other.sequence ||
    (position.sequence === other.sequence && position.index > other.index)
  );
}

/** Whether events of the position's own message are still to come. */
export function isInsideMessage({ index, count }: Position): boolean {
  return index < count - 1;
}
