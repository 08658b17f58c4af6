import { existsSync, readFileSync } from 'node:fs';
import { giveUp, root, run, tell } from './run.mjs';

const wanted = `${root}package-lock.json`;
/** What npm writes at the end of an install. */
const installed = `${root}node_modules/.package-lock.json`;

export function ensurePackages() {
  if (isInstalled()) return;
  tell('installing packages');
  if (!run('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'])) {
    giveUp('the packages could not be installed (npm ci)');
  }
}

/** Optional packages are those of other platforms, and rightly missing. */
function isInstalled() {
  if (!existsSync(installed)) return false;
  const present = readPackages(installed);
  return Object.entries(readPackages(wanted))
    .filter(([path, { optional }]) => path.includes('node_modules/') && !optional)
    .every(([path, { version }]) => path in present && present[path].version === version);
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}
