import type { Lease } from '@relay/bus';
import { RelayError } from '@relay/protocol';
import type { SharedPause } from '../pause.ts';

/** Asks until NATS answers, as long as the lease is held. @returns undefined where the lease was lost before */
export async function whileHeld<Result>(
  pause: SharedPause,
  lease: Lease,
  request: () => Promise<Result>,
): Promise<Result | undefined> {
  while (lease.isHeld()) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      await pause.wait();
    }
  }
  return undefined;
}
