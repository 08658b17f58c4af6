import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { giveUp, root, runTool, tell } from './run.mjs';

const stamp = `${root}node_modules/.relay-build`;

export function ensureBuild() {
  if (isFresh()) return;
  tell('building');
  if (!build()) giveUp('the build failed');
}

/** The stamp is of the sources as they were before, so a file changed meanwhile is built again. */
export function build() {
  const sources = hashSources();
  const succeeded = runTool('typescript/bin/tsc', ['-b']);
  if (succeeded) writeFileSync(stamp, sources);
  return succeeded;
}

function isFresh() {
  return (
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === hashSources() &&
    listWorkspaces().every((workspace) => existsSync(`${workspace}/dist/index.js`))
  );
}

function hashSources() {
  const hash = createHash('sha256');
  for (const path of listSources()) {
    const { mtimeMs, size } = statSync(path);
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex');
}

function listSources() {
  const configs = ['tsconfig.json', 'tsconfig.base.json'].map((name) => `${root}${name}`);
  return [...configs, ...listWorkspaces().flatMap(listWorkspaceSources)];
}

function listWorkspaceSources(workspace) {
  const sources = readdirSync(`${workspace}/src`, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${workspace}/src/${name}`);
  return [`${workspace}/package.json`, `${workspace}/tsconfig.json`, ...sources.toSorted()];
}

function listWorkspaces() {
  return ['packages', 'services']
    .flatMap((parent) => readdirSync(root + parent).map((name) => `${root}${parent}/${name}`))
    .filter((workspace) => existsSync(`${workspace}/tsconfig.json`));
}
