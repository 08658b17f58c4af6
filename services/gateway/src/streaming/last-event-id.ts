import { isFinal, type TaskSnapshot } from '@relay/domain';

/**
 * The revision that a reader has already seen, where that helps: it must be one of this task's, and leave
 * something to tell.
 */
export function readLastEventId(
  header: string | string[] | undefined,
  { revision, task }: TaskSnapshot,
): number | undefined {
  if (typeof header !== 'string' || !/^[1-9]\d{0,9}$/.test(header)) return undefined;
  const seen = Number(header);
  const isUsable = seen < revision || (seen === revision && !isFinal(task.status.state));
  return isUsable ? seen : undefined;
}
