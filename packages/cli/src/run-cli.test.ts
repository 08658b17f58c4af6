import { expect, it } from 'vitest';
import { runCli } from './run-cli.ts';

async function run(...args: string[]) {
  const printed = { stdout: '', stderr: '' };
  const code = await runCli(args, {
    environment: {},
    stdout: { write: (text) => (printed.stdout += text) },
    stderr: { write: (text) => (printed.stderr += text) },
  });
  return { code, ...printed };
}

const nowhere = ['--url', 'http://127.0.0.1:1', '--token', 'x'];

it.each([
  ['no token', ['agents', 'list', '--data-dir', '/nowhere'], 4, '--token'],
  ['a relay that is not there', ['agents', 'delete', 'x', ...nowhere], 3, 'reached'],
  ['a command that is none', ['agent'], 2, 'unknown command'],
  ['an option that is none', ['agents', 'list', '--all'], 2, 'unknown option'],
  ['an argument that is missing', ['agents', 'show'], 2, 'missing'],
  ['an argument that is one too many', ['config', 'x'], 2, 'too many'],
  ['an address that is none', ['agents', 'list', '--url', 'x'], 2, 'http'],
  ['nothing to change', ['agents', 'update', 'planner', ...nowhere], 2, 'name'],
  ['nothing to redrive', ['stuck', 'redrive', ...nowhere], 2, '--all'],
  ['a number that is none', ['dead-letters', 'redrive', '--per-second', '0'], 2, 'whole number'],
  ['a shell that is none', ['completion', 'tcsh'], 2, 'choices'],
] as const)(
  'of %s the command tells in few lines, by its exit code',
  async (_, args, code, word) => {
    const result = await run(...args);
    expect([result.code, result.stdout]).toEqual([code, '']);
    expect(result.stderr.toLowerCase()).toContain(word);
    expect(result.stderr.trim().split('\n').length).toBeLessThanOrEqual(3);
  },
);

it('help goes to the standard output and is no failure', async () => {
  expect(await run('--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('dead-letters'),
    stderr: '',
  });
});

it.each(['bash', 'zsh', 'fish'])(
  'the completion of %s has every command and option',
  async (shell) => {
    const { code, stdout } = await run('completion', shell);
    expect(code).toBe(0);
    for (const word of ['dead-letters', 'rewrap', 'redrive', 'dry-run', 'json']) {
      expect(stdout).toContain(word);
    }
  },
);
