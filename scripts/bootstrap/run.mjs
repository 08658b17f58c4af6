import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Shows the command's output as it comes; true when it succeeded. */
export function run(program, args) {
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (error) console.error(`relay: ${program} cannot be run: ${error.message}`);
  return status === 0;
}

export function runTool(packageBinary, args) {
  return run(process.execPath, [`${root}node_modules/${packageBinary}`, ...args]);
}

export function tell(line) {
  console.error(`relay: ${line}`);
}

export function giveUp(line) {
  tell(line);
  process.exit(1);
}
