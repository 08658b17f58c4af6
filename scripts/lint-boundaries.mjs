import { existsSync, readdirSync } from 'node:fs';
import { cruise, format } from 'dependency-cruiser';
import configuration, { ALLOWED_IMPORTS } from '../.dependency-cruiser.mjs';

const { forbidden, options } = configuration;

const workspaces = ['packages', 'services'].flatMap((root) =>
  readdirSync(root).map((name) => `${root}/${name}`),
);

const { output: result } = await cruise(workspaces, {
  ...options,
  ruleSet: { forbidden },
  validate: true,
});

const { output: report, exitCode } = await format(result, { outputType: 'err' });
console.log(report.trim());

const problems = [...uncruisedFiles(), ...workspacesWithoutRule()];
for (const problem of problems) console.error(problem);
process.exitCode = exitCode > 0 || problems.length > 0 ? 1 : 0;

/** A parser that cannot read our sources cruises nothing and reports success. */
function uncruisedFiles() {
  const cruised = new Set(result.modules.map((module) => module.source));
  const files = workspaces.flatMap((workspace) => sourceFiles(`${workspace}/src`));
  if (files.length === 0) return ['no source file was found'];
  return files.filter((file) => !cruised.has(file)).map((file) => `${file} was not checked`);
}

function workspacesWithoutRule() {
  return workspaces
    .filter((workspace) => !(workspace in ALLOWED_IMPORTS))
    .map((workspace) => `${workspace} has no entry in .dependency-cruiser.mjs`);
}

function sourceFiles(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${directory}/${name}`);
}
