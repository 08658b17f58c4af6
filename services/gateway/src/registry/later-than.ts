import { type Timestamp, timestampAt } from '@relay/protocol';

/** Now, and after an earlier change: cards have a version that is made of it, so no two changes may have the same. */
export function laterThan(earlier: Timestamp): Timestamp {
  return timestampAt(Math.max(Date.now(), Date.parse(earlier) + 1));
}
