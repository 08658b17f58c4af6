import { randomUUID } from 'node:crypto';
import { changeIdSchema } from '@relay/protocol';
import { expect, it } from 'vitest';
import { Progress } from './progress.ts';

it('a change counts as done when all before it are', () => {
  const progress = new Progress();
  const [one, two, three] = [3, 5, 9].map((sequence) =>
    progress.begin(sequence, changeIdSchema.parse(randomUUID())),
  );
  two?.();
  expect(progress.doneThrough).toBeUndefined();
  one?.();
  expect(progress.doneThrough?.sequence).toBe(5);
  three?.();
  expect(progress.doneThrough?.sequence).toBe(9);
});

it('nothing counts as done past what is being set aside', () => {
  const progress = new Progress();
  const setAside = progress.beginSettingAside();
  progress.begin(5, changeIdSchema.parse(randomUUID()))();
  expect(progress.doneThrough).toBeUndefined();
  setAside();
  expect(progress.doneThrough?.sequence).toBe(5);
});
