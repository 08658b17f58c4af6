import { setTimeout as sleep } from 'node:timers/promises';

const stepMilliseconds = 20;
/** So few are done at once, whatever the time. */
const leastPerStep = 20;

/** Does something with each item, spread over a time, so that what it leads to does not all come at once. */
export async function spread<Item>(
  items: Iterable<Item>,
  seconds: number,
  act: (item: Item) => void,
): Promise<void> {
  const left = [...items];
  const steps = Math.max(1, (seconds * 1_000) / stepMilliseconds);
  const perStep = Math.max(leastPerStep, Math.ceil(left.length / steps));
  while (left.length > 0) {
    for (const item of left.splice(0, perStep)) act(item);
    if (left.length > 0) await sleep(stepMilliseconds);
  }
}
