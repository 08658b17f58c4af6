import type { Lease } from '@relay/bus';
import { RelayError } from '@relay/protocol';
import type { SharedPause } from '../pause.ts';

/** Asks again and again while NATS is away. @returns undefined where the lease was lost before */
export async function patiently<Result>(
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
