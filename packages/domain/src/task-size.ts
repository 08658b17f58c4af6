import type { Refusal } from '@relay/protocol';

const kibibyte = 1024;
/** Kept free so that a task at its limit can still be ended with a message. */
export const roomToEnd = 256 * kibibyte;
/** All changes of one task together. Each holds the whole task, so a chatty task grows by the square. */
export const taskByteBudget = 256 * kibibyte * kibibyte;

/** Sizes in bytes of one change of a task as the record would hold it. */
export interface ChangeSize {
  readonly change: number;
  readonly earlierChanges: number;
  readonly limit: number;
  readonly isFinal: boolean;
}

/** Refuses a change by which a task would outgrow its limit; a change that ends it has more room. */
export function checkSize({
  change,
  earlierChanges,
  limit,
  isFinal,
}: ChangeSize): Refusal | undefined {
  const room = isFinal ? limit : limit - roomToEnd;
  const isOverBudget = !isFinal && earlierChanges + change > taskByteBudget;
  return change > room || isOverBudget ? { error: 'taskTooLarge' } : undefined;
}
