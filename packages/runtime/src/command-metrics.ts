import { Histogram } from './metrics.ts';

const commands = new Histogram({
  name: 'relay_command_seconds',
  help: 'Time to execute a command, by its type and by what came of it: done, refused or failed.',
  labelNames: ['command', 'outcome'],
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
});

/**
 * @param command its type
 * @param outcome of it: the key of a refusal, or anything else where it was done
 */
export function observeCommand(
  command: string,
  outcome: { readonly refusal?: string | undefined },
  milliseconds: number,
): void {
  commands.observe({ command, outcome: kindOf(outcome.refusal) }, milliseconds / 1_000);
}

/** What Relay could not do is its own fault; every other refusal is an answer. */
function kindOf(refusal: string | undefined): 'done' | 'refused' | 'failed' {
  if (refusal === undefined) return 'done';
  return refusal === 'unavailable' || refusal === 'internal' ? 'failed' : 'refused';
}
