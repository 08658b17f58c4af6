import { type Fault, killOf, killOfAll, pauseOf, redisFlush } from './faults.ts';
import { points } from './points.ts';

/** @param seconds how long each stall lasts */
export function allFaults(seconds: () => number): readonly Fault[] {
  const victims = ['gateway', 'task-manager', 'delivery', 'nats-server', 'redis-server'] as const;
  return [
    ...victims.map(killOf),
    killOfAll('delivery'),
    redisFlush,
    ...victims.map((victim) => pauseOf(victim, seconds)),
    ...points,
  ];
}
