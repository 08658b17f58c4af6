import type { Options } from './options.ts';
import type { SystemOptions, SystemUnderTest } from './system-under-test.ts';

/** What a kit is run against, and how pytest is told to run it. */
export interface Kit {
  readonly system: SystemOptions;
  /** One run for each. */
  readonly bindings: readonly string[];
  argumentsFor(system: SystemUnderTest, binding: string): readonly string[];
}

export const kits: Readonly<Record<Options['version'], Kit>> = {
  '1.0': {
    system: { cardVersion: '1.0', extendedSkills: ['extended'] },
    bindings: ['all'],
    argumentsFor: ({ origin }, binding) => [
      'tests/compatibility/',
      `--sut-host=${origin}`,
      `--transport=${binding}`,
    ],
  },
  // As its own `run_tck.py --category mandatory` selects them. Without an extended card: it looks for that at
  // the root, and for an error where it sends no token, which the proxy adds.
  '0.3': {
    system: { extendedSkills: [] },
    bindings: ['jsonrpc', 'rest'],
    argumentsFor: ({ address }, binding) => [
      'tests/mandatory/',
      '-m',
      'mandatory_jsonrpc or mandatory_protocol',
      '--test-scope=all',
      `--sut-url=${address}`,
      `--transports=${binding}`,
    ],
  },
};
