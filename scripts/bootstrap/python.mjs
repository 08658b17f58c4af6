import { spawnSync } from 'node:child_process';
import { run, tell } from './run.mjs';
import { isOnPath } from './servers.mjs';

/** For the tests with clients in Python, which are skipped where there is none. */
export function ensurePython() {
  if (makesEnvironments()) return;
  if (process.getuid?.() === 0 && isOnPath('apt-get')) {
    tell('installing python3-venv with apt-get');
    process.env.DEBIAN_FRONTEND ??= 'noninteractive';
    run('apt-get', ['update', '-q']);
    run('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'python3-venv']);
  }
  if (!makesEnvironments()) tell('no python3 with venv: tests with clients in Python are skipped');
}

function makesEnvironments() {
  return spawnSync('python3', ['-c', 'import venv, ensurepip']).status === 0;
}
