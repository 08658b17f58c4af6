import type { InboxMessage } from '@relay/bus';
import type { EventType } from '@relay/protocol';
import { describe, expect, it } from 'vitest';
import { ByteBudget } from './byte-budget.ts';
import { allEvents } from './event-sink.ts';
import { PendingEvents } from './pending-events.ts';

const kibibyte = 1024;
const budget = () => new ByteBudget(256 * kibibyte * kibibyte);

function message(sequence: number, types: readonly EventType[], bytes = 2): InboxMessage {
  const events = types.map((type, index) => ({
    eventId: `${sequence}.${index}`,
    type,
    lane: 'task',
    revision: 1,
    at: 0,
    bytes: Buffer.alloc(bytes, '.'),
  }));
  return {
    sequence,
    previous: 0,
    events,
  };
}

function pendingEvents(typesInForce: readonly EventType[] = ['task.created', 'task.message']) {
  return new PendingEvents(budget(), {
    acked: 10,
    fullSyncThrough: null,
    typesInForce: new Set(typesInForce),
  });
}

describe('pending events', () => {
  it('are numbered from what is acknowledged and framed around their bytes', () => {
    const pending = pendingEvents();
    pending.take(message(1, ['task.created', 'task.message']), { ...allEvents, from: 1 });
    expect(pending.frameOf(11)?.toString()).toBe('{"type":"event","sequence":"11","event":..}');
    expect(pending.frameOf(12)).toBeUndefined();
  });

  it('give left-out events no number, and pass them with the event before them', () => {
    const pending = pendingEvents(['task.message']);
    pending.take(message(1, ['task.created']), allEvents);
    expect(pending.position).toMatchObject({ sequence: 1, index: 0 });
    pending.take(message(2, ['task.message', 'task.created', 'task.message']), allEvents);
    expect(pending.position).toMatchObject({ sequence: 1 });
    pending.acknowledge(11);
    expect(pending.position).toMatchObject({ sequence: 2, index: 1, count: 3 });
    pending.acknowledge(12);
    pending.take(message(3, ['task.created']), allEvents);
    expect(pending.position).toMatchObject({ sequence: 3 });
  });

  it('let 64 events go out, or 4 MiB, or one', () => {
    const many = pendingEvents();
    for (let n = 0; n < 65; n += 1) many.take(message(n + 1, ['task.created']), allEvents);
    expect(many.frameOf(74)).toBeDefined();
    expect(many.frameOf(75)).toBeUndefined();
    const large = pendingEvents();
    const mebibyte = kibibyte * kibibyte;
    large.take(message(1, ['task.created'], 5 * mebibyte), allEvents);
    expect(large.hasRoom).toBe(false);
    expect(large.frameOf(11)).toBeDefined();
    large.acknowledge(11);
    large.release(11);
    large.take(message(2, ['task.created', 'task.created'], 3 * mebibyte), allEvents);
    expect(large.frameOf(12)).toBeDefined();
    expect(large.frameOf(13)).toBeUndefined();
  });

  it('stay until they are sent to all, also when others acknowledged them', () => {
    const pending = pendingEvents();
    pending.take(message(1, ['task.created', 'task.created']), allEvents);
    pending.learn({ acked: 14, fullSyncThrough: null });
    pending.release(11);
    expect(pending.frameOf(11)).toBeUndefined();
    expect(pending.frameOf(12)).toBeDefined();
    pending.take(message(2, ['task.created', 'task.created', 'task.created']), allEvents);
    expect(pending.frameOf(15)).toBeDefined();
    expect(pending.acked).toBe(14);
  });

  it('wait for a full sync, and follow its number', () => {
    const pending = new PendingEvents(budget(), {
      acked: 10,
      fullSyncThrough: 11,
      typesInForce: new Set(['task.created'] as const),
    });
    pending.take(message(1, ['task.created']), allEvents);
    expect(pending.frameOf(12)).toBeUndefined();
    pending.learn({ acked: 11, fullSyncThrough: null });
    expect(pending.frameOf(11)).toBeUndefined();
    expect(pending.frameOf(12)).toBeDefined();
  });

  it('read no further ahead than the process can bear, but always one message', () => {
    const shared = new ByteBudget(100);
    const start = {
      acked: 0,
      fullSyncThrough: null,
      typesInForce: new Set(['task.created'] as const),
    };
    const [one, two] = [new PendingEvents(shared, start), new PendingEvents(shared, start)];
    one.take(message(1, ['task.created'], 200), allEvents);
    expect(one.hasRoom).toBe(false);
    expect(two.hasRoom).toBe(true);
    two.take(message(2, ['task.created']), allEvents);
    expect(two.hasRoom).toBe(false);
    one.clear();
    expect(two.hasRoom).toBe(true);
  });
});
