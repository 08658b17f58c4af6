import type { AgentId, ChangeId, EventType, Timestamp, TraceId } from '@relay/protocol';
import { deriveEventId } from './derived-ids.ts';

interface ToldChange {
  readonly id: ChangeId;
  readonly traceId: TraceId;
  readonly at: Timestamp;
}

/**
 * What is alike in all events by which one recipient hears of a change.
 * @param about of what in the change, where it tells one recipient of several things in one way
 */
export function eventHeader<Type extends EventType>(
  change: ToldChange,
  recipientId: AgentId,
  type: Type,
  about?: string,
) {
  return {
    api_version: 'v1',
    webhook_version: '2026-08-30',
    event_type: type,
    event_id: deriveEventId(change.id, recipientId, type, about),
    created_at: change.at,
    trace_id: change.traceId,
    agent_id: recipientId,
  } as const;
}
