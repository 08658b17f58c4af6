import type { Fault } from '../crash/faults.ts';
import type { Stack } from './stack.ts';

/** Kills each service, NATS among them, and empties Redis. */
export function faultsOf(services: readonly string[]): readonly Fault<Stack>[] {
  return [
    ...services.map((service) => ({
      name: `SIGKILL ${service}`,
      disturbsDelivery: /^(delivery|nats)/.test(service),
      inflict: async (stack: Stack) => {
        await stack.kill(service);
        return true;
      },
    })),
    {
      name: 'FLUSHALL',
      disturbsDelivery: false,
      inflict: async (stack) => {
        await stack.flushRedis();
        return true;
      },
    },
  ];
}
