import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { readFirstLine, spawnSource } from '../support/spawn-source.ts';

type Behavior = 'stops' | 'never stops' | 'cannot start' | 'fails later' | 'tells much';

function spawnMain(behavior: Behavior, settings: NodeJS.ProcessEnv = {}) {
  const child = spawnSource('test/support/main-process.ts', [behavior], {
    RELAY_LOG_LEVEL: 'error',
    ...settings,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit').then(([code]: unknown[]) => code);
  return { child, exited, errors: child.stderr ? text(child.stderr) : '' };
}

it.each(['SIGTERM', 'SIGINT'] as const)('stops in order on %s', async (signal) => {
  const { child, exited } = spawnMain('stops');
  await readFirstLine(child);
  child.kill(signal);
  expect(await exited).toBe(0);
});

it('takes the two signals of one Ctrl-C under npm for one', async () => {
  const { child, exited } = spawnMain('stops');
  await readFirstLine(child);
  child.kill('SIGINT');
  child.kill('SIGINT');
  expect(await exited).toBe(0);
});

it('exits at once on a later second signal', async () => {
  const { child, exited } = spawnMain('never stops');
  await readFirstLine(child);
  // Those that come right behind the first are taken for the same one.
  const signals = setInterval(() => child.kill('SIGTERM'), 50);
  expect(await exited).toBe(143);
  clearInterval(signals);
});

it('gives up on a stop that takes too long', async () => {
  const { child, exited } = spawnMain('never stops', { RELAY_DRAIN_SECONDS: '0' });
  await readFirstLine(child);
  child.kill('SIGTERM');
  expect(await exited).toBe(1);
});

it('tells all that there is to tell before it has stopped, also to a slow listener', async () => {
  const { child, exited } = spawnMain('tells much', { RELAY_LOG_LEVEL: 'warn' });
  const { stdout } = child;
  if (stdout === null) throw new Error('the output is not piped');
  await once(stdout, 'readable');
  child.kill('SIGTERM');
  let told = '';
  for await (const chunk of stdout.setEncoding('utf8')) {
    told += String(chunk);
    await sleep(5);
  }
  expect(await exited).toBe(0);
  const lines = told.trim().split('\n').slice(1);
  const numbers = lines.map((line) => Number(/"n":(\d+)/.exec(line)?.[1]));
  expect(numbers).toEqual(Array.from({ length: 20_000 }, (_, n) => n));
});

it('tells in one line why it cannot start', async () => {
  const { exited, errors } = spawnMain('cannot start');
  expect(await exited).toBe(1);
  expect(await errors).toBe('relay: the port is taken\n');
});

it('tells of each bad setting in a line', async () => {
  const { exited, errors } = spawnMain('stops', { RELAY_PORT: 'http', RELAY_PROT: '80' });
  expect(await exited).toBe(1);
  expect((await errors).trim().split('\n')).toHaveLength(2);
});

it('logs an error that nothing caught, and ends', async () => {
  const { child, exited } = spawnMain('fails later');
  const output = child.stdout ? text(child.stdout) : '';
  expect(await exited).toBe(1);
  expect(await output).toContain('"msg":"process.uncaught_error"');
});
