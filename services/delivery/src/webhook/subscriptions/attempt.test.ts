import { expect, it } from 'vitest';
import { toDeliveryAttempt } from './attempt.ts';
import { secretsOf } from './without-secrets.ts';

const signingSecret = 'whsec_c2lnbmluZy1zZWNyZXQ=';

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
    secretsOf({ headers, signingSecrets: [signingSecret] }),
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
    error_message: null,
    answer: 'no such page',
  });
});

it('names the rule that refused a target, and how it is allowed', () => {
  const attempt = toDeliveryAttempt(
    {
      kind: 'rejected',
      elapsedMilliseconds: 0,
      failure: { code: 'refused', detail: 'Set this.', rule: 'loopback' },
    },
    [],
    { number: 1, startedAt: 0 },
  );
  expect(attempt).toMatchObject({
    error_code: 'refused_loopback',
    error_message: 'Set this.',
    http_status: null,
    answer: '',
  });
});

const headers = {
  'x-api-key': 'value-of-the-key',
  'x-quoted': ' a"quoted\\value ',
  'x-short': 'no',
  authorization: 'Bearer token-of-the-agent',
  'x-one': 'hidden',
  'x-other': 'hidden',
};

it.each([
  ['no: value-of-the-key, value-of-the-key', 'no: [hidden], [hidden]'],
  ['the token token-of-the-agent is unknown', 'the token [hidden] is unknown'],
  ['authorization: Bearer token-of-the-agent', 'authorization: [hidden]'],
  [JSON.stringify({ got: headers['x-quoted'] }), '{"got":" [hidden] "}'],
  ['a"quoted\\value', '[hidden]'],
  [`signed by ${signingSecret}`, 'signed by [hidden]'],
  ['cut off within value-of-the-ke', 'cut off within [hidden]'],
  ['cut off within Bearer token-of', 'cut off within [hidden]'],
  ['cut off within token-of-the', 'cut off within [hidden]'],
  ['it is hidden', 'it is [hidden]'],
  ['cut off at its begin: value', 'cut off at its begin: value'],
])('of the answer %j it shows %j', (text, shown) => {
  expect(attemptAt(text, headers).answer).toBe(shown);
});
