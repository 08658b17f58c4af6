import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cliPath, TestCli } from '../support/cli.ts';
import { freePort } from '../support/relay.ts';
import { createTemporaryDirectory } from '../support/temporary-directory.ts';

// Each command is a process of its own, and a busy machine takes seconds to start one.
vi.setConfig({ testTimeout: 240_000 });

const run = promisify(execFile);

describe('completion', () => {
  it('completes commands and options in bash', async () => {
    const complete = async (...words: string[]) => {
      const line = words.map((word) => `'${word}'`).join(' ');
      const script = `eval "$('${process.execPath}' '${cliPath}' completion bash)"
        COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _relay; echo "\${COMPREPLY[@]}"`;
      return (await run('bash', ['-c', script])).stdout.trim().split(' ');
    };
    expect(await complete('relay', 'dead-')).toEqual(['dead-letters']);
    expect(await complete('relay', 'agents', '')).toEqual(
      expect.arrayContaining(['list', 'create', '--json']),
    );
    expect(await complete('relay', '--json', 'stuck', 'redrive', '--a')).toEqual(['--all']);
  });
});

describe('up', () => {
  it('runs a relay until it is told to stop, and says why it does not start', async () => {
    const dataDir = await createTemporaryDirectory();
    const port = String(await freePort());
    const up = new TestCli({ RELAY_DATA_DIR: dataDir, RELAY_PORT: port, RELAY_LOG_LEVEL: 'warn' });
    const running = up.start(['up']);
    onTestFinished(async () => {
      await running.stop();
    });
    await expect.poll(() => running.stdout, { timeout: 150_000 }).toContain('Relay is ready');
    expect(await up.done('send', 'translator', 'Translate "good morning" into French')).toContain(
      'bonjour',
    );
    const second = await up.run(['up']);
    expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('another relay')]);
    expect(await running.stop()).toBe(0);
  });
});
