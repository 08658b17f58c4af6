import { expect, it } from 'vitest';
import { toDeliveryAttempt } from './attempt.ts';

const attemptAt = (text: string, headers: Record<string, string>) =>
  toDeliveryAttempt(
    {
      kind: 'rejected',
      elapsedMilliseconds: 5,
      failure: {
        code: 'status',
        detail: 'HTTP 404',
        answer: { status: 404, text, complete: true },
      },
    },
    { headers },
    { number: 2, startedAt: 0 },
  );

it('tells number, time, status and answer of an attempt', () => {
  expect(attemptAt('no such page', {})).toEqual({
    number: 2,
    started_at: '1970-01-01T00:00:00.000Z',
    finished_at: '1970-01-01T00:00:00.005Z',
    outcome: 'terminal_failure',
    http_status: 404,
    error_code: 'http_404',
    answer: 'no such page',
  });
});

it('names the rule that refused a target', () => {
  const attempt = toDeliveryAttempt(
    {
      kind: 'rejected',
      elapsedMilliseconds: 0,
      failure: { code: 'refused', detail: 'no', rule: 'loopback' },
    },
    { headers: {} },
    { number: 1, startedAt: 0 },
  );
  expect(attempt).toMatchObject({ error_code: 'refused_loopback', http_status: null, answer: '' });
});

it('hides the value of a static header that the receiver repeats', () => {
  const headers = { 'x-api-key': 'value-of-the-key', 'x-short': 'no' };
  expect(attemptAt('no: value-of-the-key, value-of-the-key', headers).answer).toBe(
    'no: [hidden], [hidden]',
  );
});
