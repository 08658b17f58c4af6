import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const folder = resolve(import.meta.dirname, '../e2e/python');
const cache = resolve(import.meta.dirname, '../../node_modules/.cache/python');

/** A script goes through a whole session, and its imports alone take seconds. */
export const scriptTimeoutMs = 180_000;

/** It prints the version, and fails where it is below 3.10 or comes without venv, as some systems have it. */
const CAN_BE_USED =
  'import sys, venv, ensurepip; print(sys.version); sys.exit(sys.version_info < (3, 10))';

/** Clients in Python of one set of packages from PyPI; or why there are none here. */
export class PythonClients {
  readonly missing: string | undefined;
  readonly #python: string;

  private constructor(python: string, missing?: string) {
    this.#python = python;
    this.missing = missing;
  }

  /**
   * Installs the packages, which is done once for all runs. What is missing is printed: the tests that
   * need it are skipped then.
   * @param requirements a file in test/e2e/python
   */
  static async prepare(requirements: string): Promise<PythonClients> {
    const version = await execute('python3', ['-c', CAN_BE_USED]).catch(() => undefined);
    if (!version)
      return PythonClients.#without(requirements, 'there is no python3 >= 3.10 with venv');
    const file = join(folder, requirements);
    const content = `${version.stdout}${await readFile(file, 'utf8')}`;
    const directory = join(cache, createHash('sha256').update(content).digest('hex').slice(0, 16));
    try {
      await installOnce(directory, file);
    } catch (error) {
      return PythonClients.#without(requirements, `they cannot be installed: ${String(error)}`);
    }
    return new PythonClients(pythonIn(directory));
  }

  /** Runs a script of test/e2e/python. @returns what it printed, from JSON: what the script's own test says */
  async run<Session>(
    script: string,
    args: readonly string[],
    environment: Readonly<Record<string, string>>,
  ): Promise<Session> {
    const { stdout } = await execute(this.#python, [join(folder, script), ...args], {
      env: { PATH: process.env['PATH'], ...environment },
      maxBuffer: 64 * 1024 * 1024,
    });
    const session: Session = JSON.parse(stdout);
    return session;
  }

  static #without(requirements: string, reason: string): PythonClients {
    process.stderr.write(`skipped: the tests with ${requirements} from PyPI, since ${reason}\n`);
    return new PythonClients('', reason);
  }
}

/** Without PyPI it is to fail soon. */
const PIP_OPTIONS =
  '--quiet --disable-pip-version-check --no-compile --retries 1 --timeout 15'.split(' ');

const pythonIn = (directory: string) => join(directory, 'bin', 'python');

/** The mark is written last: an installation that was cut off begins anew. */
async function installOnce(directory: string, requirements: string): Promise<void> {
  const mark = join(directory, 'installed');
  if (existsSync(mark)) return;
  await rm(directory, { recursive: true, force: true });
  await execute('python3', ['-m', 'venv', directory]);
  await execute(pythonIn(directory), ['-m', 'pip', 'install', ...PIP_OPTIONS, '-r', requirements]);
  await writeFile(mark, '');
}
