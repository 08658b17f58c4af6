import { randomUUID } from 'node:crypto';
import { agentIdSchema, subscriptionIdSchema, timestampAt } from '@relay/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  inForce,
  type PushConfigEntry,
  type PushConfigRecord,
  tidied,
  withConfig,
} from './push-config-record.ts';
import { configsToTell } from './pushed-change.ts';

const endpointId = subscriptionIdSchema.parse(randomUUID());
const empty: PushConfigRecord = {
  requesterId: agentIdSchema.parse(randomUUID()),
  nextNumber: 0,
  configs: [],
};
const now = 1_000_000;

function entry(fields: Partial<PushConfigEntry>): PushConfigEntry {
  return {
    number: 0,
    id: 'a',
    endpointId,
    form: { version: '1.0' },
    url: 'https://receiver.example/',
    scheme: null,
    credentials: null,
    token: null,
    events: [],
    start: { afterRevision: 0 },
    updatedAt: timestampAt(now),
    ...fields,
  };
}

const task = (...messageIds: string[]) => ({
  revision: messageIds.length,
  requesterMessages: messageIds.map((messageId, at) => ({ messageId, revision: at + 1 })),
});

describe('a config that comes with a message', () => {
  const before = entry({ url: 'https://before.example/' });
  const sent = entry({ start: { messageId: 'm' }, url: 'https://sent.example/' });
  const record = withConfig({ ...empty, configs: [before] }, sent, task('first'));

  it('replaces the one with its id once the message is there, and not before', () => {
    expect(inForce(record, task('first'))).toEqual([before]);
    expect(inForce(record, task('first', 'm'))).toEqual([sent]);
  });

  it('is forgotten after a while where the message was refused', () => {
    expect(tidied(record, task('first'), now + 1_000).configs).toEqual([before, sent]);
    expect(tidied(record, task('first'), now + 61_000).configs).toEqual([before]);
    expect(tidied(record, task('first', 'm'), now + 61_000).configs).toEqual([sent]);
  });

  it('is there once, however often it comes', () => {
    const again = withConfig(record, sent, task('first'));
    expect(again.configs).toEqual(record.configs);
  });

  it('waits for its message as long as there is no task', () => {
    const offered = withConfig(empty, sent, undefined);
    expect(inForce(offered, undefined)).toEqual([]);
    expect(tidied(offered, undefined, now + 86_400_000).configs).toEqual([sent]);
  });
});

it('whatever is set in whatever order, each id is in force once, as it was set last', () => {
  const change = fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    messageId: fc.option(fc.constantFrom('first', 'm', 'refused')),
    url: fc.nat().map((n) => `https://receiver.example/${n}`),
  });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const current = task('first', 'm');
      let record = empty;
      const last = new Map<string, string>();
      for (const { id, messageId, url } of changes) {
        const start = messageId === null ? { afterRevision: 0 } : { messageId };
        const number = record.configs.find((each) => each.id === id)?.number ?? record.nextNumber;
        const added = entry({ id, number, url, start });
        record = withConfig(tidied(record, current, now), added, current);
        if (messageId !== 'refused') last.set(id, url);
      }
      const found = inForce(record, current);
      expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
      expect(new Set(found.map(({ number }) => number)).size).toBe(found.length);
      expect(new Map(found.map(({ id, url }) => [id, url]))).toEqual(last);
    }),
  );
});

describe('a change is told to', () => {
  it('configs that were made before it', () => {
    const configs = [1, 2].map((afterRevision) =>
      entry({ id: `${afterRevision}`, start: { afterRevision } }),
    );
    const told = configsToTell(
      { ...empty, configs },
      { task: task('first', 'm'), event: 'artifact' },
    );
    expect(told.map(({ id }) => id)).toEqual(['1']);
  });

  it('configs whose filter names it, or that have none', () => {
    const configs = [
      entry({ id: 'all' }),
      entry({ id: 'artifacts', events: ['artifact'] }),
      entry({ id: 'failed', events: ['TASK_STATE_FAILED', 'TASK_STATE_REJECTED'] }),
    ];
    const told = (event: 'artifact' | 'TASK_STATE_REJECTED' | 'TASK_STATE_WORKING') =>
      configsToTell({ ...empty, configs }, { task: task('first'), event }).map(({ id }) => id);
    expect(told('artifact')).toEqual(['all', 'artifacts']);
    expect(told('TASK_STATE_REJECTED')).toEqual(['all', 'failed']);
    expect(told('TASK_STATE_WORKING')).toEqual(['all']);
  });
});
