import { defineConfig } from 'vitest/config';

/** The packages are run from their sources, so no test needs a build. */
const conditions = ['@relay/source'];

const project = (name: string, include: string[], timeoutMs: number, groupOrder = 0) => ({
  extends: true as const,
  test: {
    name,
    include,
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    sequence: { groupOrder },
  },
});

export default defineConfig({
  resolve: { conditions: [...conditions, 'module', 'node', 'development|production'] },
  ssr: { resolve: { conditions: [...conditions, 'module', 'node', 'development|production'] } },
  test: {
    environment: 'node',
    // A poll waits for what must come, on a machine of any speed; what must come soon says so itself.
    expect: { poll: { timeout: 15_000 } },
    // Most of a test's time is waiting, also on two cores.
    maxWorkers: 2,
    projects: [
      project('unit', ['packages/*/src/**/*.test.ts', 'services/*/src/**/*.test.ts'], 20_000),
      project('integration', ['test/integration/**/*.test.ts'], 60_000),
      project('e2e', ['test/e2e/**/*.test.ts'], 120_000),
      // Alone: its load is all that the machine does.
      project('crash', ['test/crash/**/*.test.ts'], 300_000, 1),
    ],
  },
});
