import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './bootstrap/build.mjs';
import { requireNode } from './bootstrap/node-version.mjs';
import { ensurePackages } from './bootstrap/packages.mjs';
import { ensurePython } from './bootstrap/python.mjs';
import { root, run, runTool, tell } from './bootstrap/run.mjs';
import { ensureServers } from './bootstrap/servers.mjs';

const { RELAY_TEST_NATS_URL, RELAY_TEST_REDIS_URL } = process.env;

requireNode();
ensurePackages();
ensureServers([
  ...(RELAY_TEST_NATS_URL ? [] : ['nats-server']),
  ...(RELAY_TEST_REDIS_URL ? [] : ['redis-server']),
  // It judges the alert rules.
  'promtool',
  // The stack's proxy.
  'caddy',
]);
ensurePython();

const checks = {
  'types and build': build,
  'types of the tests': () => runTool('typescript/bin/tsc', ['-p', 'test/tsconfig.json']),
  'format, imports, dependencies': () =>
    runTool('@biomejs/biome/bin/biome', ['ci', '--colors=off', '.']),
  lint: () => runTool('oxlint/bin/oxlint', ['--type-aware']),
  'import directions': () => run(process.execPath, [`${root}scripts/lint-boundaries.mjs`]),
  'dead code': () => runTool('knip/bin/knip.js', []),
};

const failedChecks = Object.keys(checks).filter((name) => !runCheck(name));
const tests = runTests();
for (const name of failedChecks) tell(`failed: ${name}`);
const failed = tests.failed + failedChecks.length;
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${tests.passed} passed, ${failed} failed`);

function runCheck(name) {
  tell(`checking ${name}`);
  return checks[name]();
}

function runTests() {
  const directory = mkdtempSync(join(tmpdir(), 'relay-test-'));
  const reportPath = join(directory, 'report.json');
  const succeeded = runTool('vitest/vitest.mjs', [
    'run',
    ...['unit', 'integration', 'e2e', 'crash'].map((project) => `--project=${project}`),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportPath}`,
  ]);
  const counts = countTests(reportPath);
  rmSync(directory, { recursive: true });
  // An error outside of any test fails the run too.
  return succeeded ? counts : { ...counts, failed: Math.max(1, counts.failed) };
}

function countTests(reportPath) {
  try {
    const { numPassedTests, numFailedTests, testResults } = JSON.parse(
      readFileSync(reportPath, 'utf8'),
    );
    return { passed: numPassedTests, failed: numFailedTests + countUnreadable(testResults) };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** Files that failed before any test of theirs ran. */
function countUnreadable(testResults) {
  return testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
}
