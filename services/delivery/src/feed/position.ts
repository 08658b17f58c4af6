import { z } from 'zod';

/** One event in an agent's inbox. */
export const placeSchema = z.object({
  /** Of the message in INBOX. */
  sequence: z.int().min(1),
  /** Of the event in it. */
  index: z.int().min(0),
});
export type Place = Readonly<z.infer<typeof placeSchema>>;

/** Where a feed is in its agent's inbox: behind one event of one message. */
export const positionSchema = placeSchema.extend({
  /** How many events the message holds. */
  count: z.int().min(1),
  eventId: z.uuid(),
});
export type Position = Readonly<z.infer<typeof positionSchema>>;

/** Whether a place is further on than another one; `null` is before everything. */
export function isAfter(place: Place | null, other: Place | null): boolean {
  if (place === null) return false;
  if (other === null) return true;
  return (
    place.sequence > other.sequence ||
    (place.sequence === other.sequence && place.index > other.index)
  );
}

/** Whether events of the position's own message are still to come. */
export function isInsideMessage({ index, count }: Position): boolean {
  return index < count - 1;
}
