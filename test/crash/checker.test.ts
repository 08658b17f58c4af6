import { describe, expect, it } from 'vitest';
import { checkChat } from '../support/ledger/check/check-chats.ts';
import { checkDeadLetters } from '../support/ledger/check/check-dead-letters.ts';
import { checkFeed } from '../support/ledger/check/check-feed.ts';
import { checkCopies, missingEvents } from '../support/ledger/check/check-ledger.ts';
import { checkRecipients, checkSequence } from '../support/ledger/check/check-mailbox.ts';
import { checkOrder } from '../support/ledger/check/check-order.ts';
import { checkSchedule } from '../support/ledger/check/check-schedule.ts';
import { checkStream } from '../support/ledger/check/check-stream.ts';
import { Ledger } from '../support/ledger/ledger.ts';
import type { WebhookRequest } from '../support/ledger/webhook-endpoint.ts';

const noneDead = new Set<string>();

let requests = 0;

/** A request that came and was taken at once; one more of the task `t`, as nothing else is said. */
function request(change: Partial<WebhookRequest>): WebhookRequest {
  requests += 1;
  const { at = requests, revision = 1 } = change;
  return {
    eventId: `e${revision}`,
    type: 'task.updated',
    agentId: 'a',
    taskId: 't',
    mark: 'WORKING 0',
    order: '',
    requesterId: 'a',
    digest: '',
    revision,
    signature: `s${requests}`,
    answer: 'accepted',
    askedPause: 0,
    endedAt: at,
    ...change,
    at,
  };
}

const failed = (at: number, more: Partial<WebhookRequest> = {}) =>
  request({ answer: 'failed', at, ...more });

describe('the checker of a crash run finds', () => {
  it('a number left out, given to two events, or changed', () => {
    const event = (eventId: string, sequence: number) => ({ ...request({ eventId }), sequence });
    expect(checkFeed('m', [event('a', 1), event('b', 2), event('b', 2)])).toEqual([]);
    expect(checkFeed('m', [event('a', 1), event('b', 3)])).toHaveLength(1);
    expect(checkFeed('m', [event('a', 1), event('b', 1)])).toHaveLength(1);
    expect(checkFeed('m', [event('a', 1), event('a', 2)])).toHaveLength(1);
  });

  it('another agent’s events, and those of types that were not asked for', () => {
    const ledger = new Ledger();
    ledger.noteTask('t', { requesterId: 'a', calleeId: 'b' });
    const mailbox = { name: 'm', agentId: 'a', types: ['task.updated'] };
    const check = (change: Partial<WebhookRequest>) =>
      checkRecipients(ledger, mailbox, [request(change)]);
    expect(check({})).toEqual([]);
    expect(check({ agentId: 'b' })).toHaveLength(1);
    ledger.noteTask('of others', { requesterId: 'c', calleeId: 'b' });
    expect(check({ taskId: 'of others' })).toHaveLength(1);
    expect(check({ type: 'task.created' })).not.toEqual([]);
  });

  it('a copy with other bytes', () => {
    expect(checkCopies([[request({ digest: '1' })], [request({ digest: '1' })]])).toEqual([]);
    expect(checkCopies([[request({ digest: '1' })], [request({ digest: '2' })]])).toHaveLength(1);
  });

  it('what was acknowledged and never came, or came in another order', () => {
    const ledger = new Ledger();
    const due = (mark: string) => ({ taskId: 't', type: 'task.updated', mark });
    ledger.noteDue(['m'], due('one'));
    ledger.noteDue(['m'], due('two'));
    const [one, two] = [
      request({ mark: 'one', revision: 1 }),
      request({ mark: 'two', revision: 2 }),
    ];
    expect(missingEvents(ledger)).toHaveLength(2);
    ledger.noteArrival('m', one);
    ledger.noteArrival('m', two);
    expect(missingEvents(ledger)).toEqual([]);
    expect(checkSequence(ledger, 'm', [one, two, one])).toEqual([]);
    expect(checkSequence(ledger, 'm', [two, one])).toHaveLength(1);
  });

  it('an event that overtook the one before it, or was given up unseen', () => {
    const [first, second] = [request({ revision: 1 }), request({ revision: 2 })];
    const copy = { ...first, at: second.at + 1, endedAt: second.at + 1 };
    expect(checkOrder('m', [first, second, copy], noneDead)).toEqual([]);
    expect(checkOrder('m', [second, copy], noneDead)).toHaveLength(1);
    const unsettled = request({ revision: 1, at: 0, answer: 'failed' });
    expect(checkOrder('m', [unsettled, second], noneDead)).toHaveLength(1);
    expect(checkOrder('m', [unsettled, second], new Set(['e1']))).toEqual([]);
    expect(checkDeadLetters('m', [unsettled], noneDead)).toHaveLength(1);
    expect(checkDeadLetters('m', [first], new Set(['e1']))).toHaveLength(1);
    expect(checkDeadLetters('m', [request({ answer: 'rejected' })], new Set(['e1']))).toEqual([]);
  });

  it('a try that comes too early, too late, or after a last answer, unless all was disturbed', () => {
    const check = (...tries: WebhookRequest[]) => checkSchedule('m', tries, []);
    expect(check(failed(0), failed(1_000), request({ at: 3_000 }))).toEqual([]);
    expect(check(failed(0), request({ at: 500 }))).toHaveLength(1);
    expect(check(failed(0), failed(1_000), request({ at: 2_000 }))).toHaveLength(1);
    expect(check(failed(0), request({ at: 60_000 }))).toHaveLength(1);
    expect(check(failed(0, { askedPause: 3_000 }), request({ at: 1_000 }))).toHaveLength(1);
    expect(check(request({ at: 0 }), request({ at: 5_000 }))).toHaveLength(1);
    expect(check(failed(0, { answer: 'rejected' }), request({ at: 5_000 }))).toHaveLength(1);
    const reset = failed(0, { answer: 'none', signature: 'same' });
    expect(check(reset, request({ at: 5, signature: 'same' }))).toEqual([]);
    const disturbance = { from: 100, to: 200 };
    expect(checkSchedule('m', [failed(0), request({ at: 500 })], [disturbance])).toEqual([]);
  });

  it('a try that comes late, unless the endpoint failed again and again meanwhile', () => {
    const tried = (between: readonly WebhookRequest[]) =>
      checkSchedule('m', [failed(0), ...between, request({ at: 40_000 })], []);
    const other = (at: number, revision: number, answer: WebhookRequest['answer']) =>
      request({ at, revision, answer });
    const rested = [4_000, 12_000, 20_000].map((at, n) => other(at, n + 2, 'failed'));
    expect(tried(rested)).toEqual([]);
    expect(tried(rested.slice(0, 1))).toHaveLength(1);
    const taken = Array.from({ length: 8 }, (_, n) => other(5_000 + n, n + 10, 'accepted'));
    expect(tried([...taken, ...rested.slice(1)])).toHaveLength(1);
    expect(tried([...taken.slice(1), ...rested.slice(1)])).toEqual([]);
  });

  it('a message of a chat that is lost, there twice, or out of its sender’s order', () => {
    const message = (id: string, senderId = 'a') => ({ chatId: 'c', id, senderId, text: `t${id}` });
    const stored = (...ids: string[]) => ids.map((id) => ({ id, text: `t${id}` }));
    const acknowledged = [message('1'), message('2', 'b'), message('3')];
    const check = (...ids: string[]) => checkChat('c', acknowledged, stored(...ids));
    expect(check('2', '1', '3')).toEqual([]);
    expect(check('1', '2', '3', 'not acknowledged')).toEqual([]);
    expect(check('1', '2')).toHaveLength(1);
    expect(check('3', '2', '1')).toHaveLength(1);
    const again = { id: '4', text: 't1' };
    expect(checkChat('c', acknowledged, [...stored('1', '2', '3'), again])).toHaveLength(1);
  });

  it('a stream that lost or repeated something, or did not end', () => {
    const stream = (ids: number[], state = 'TASK_STATE_COMPLETED') =>
      checkStream({ taskId: 't', ids, states: [state] });
    expect(stream([2, 3, 4])).toEqual([]);
    expect(stream([1, 3])).toHaveLength(1);
    expect(stream([1, 2, 2])).toHaveLength(1);
    expect(stream([1, 2], 'TASK_STATE_WORKING')).toHaveLength(1);
  });
});
