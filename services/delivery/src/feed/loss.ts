import { type Bus, decodeInbox, type StreamBounds, type StreamMessage, subjects } from '@relay/bus';
import type { AgentId } from '@relay/protocol';
import type { FeedRecord } from './feed-record.ts';
import type { InboxBounds } from './inbox-bounds.ts';
import { isInsideMessage, type Position } from './position.ts';

/** From where a feed goes on whose events were removed before they were delivered. */
export type WhatIsLeft = Pick<FeedRecord, 'owed' | 'position' | 'verified'>;

export interface LossQuestion {
  readonly inbox: Bus['inbox'];
  readonly bounds: InboxBounds;
  readonly agentId: AgentId;
  /** When the agent was registered, in milliseconds since the epoch: before it, it had no events. */
  readonly registeredAt: number;
  readonly record: FeedRecord;
  /** How far the inbox was read in this process, where it was. */
  readonly readThrough: Position | null;
  /** The record itself is known to be an older one. */
  readonly isRolledBack: boolean;
  /** When the store was restored from a backup, in milliseconds since the epoch; null where it was not. */
  readonly restoredAt: number | null;
}

/** What became of the event at a position. */
type Standing = 'none' | 'there' | 'removed' | 'another';

/**
 * Finds out whether an agent's inbox has lost events that were not delivered: removed by age, or because
 * the store is an older copy, or a backup. Undefined where it has not.
 * @throws RelayError unavailable
 */
export async function findLoss(question: LossQuestion): Promise<WhatIsLeft | undefined> {
  const { bounds: inboxBounds, record, readThrough } = question;
  const bounds = await inboxBounds.read();
  const held: Held = { question, bounds };
  const verified = markBefore(bounds.first, bounds);
  const standing = await standingOf(held, record.position);
  if (standing === 'another') return { owed: [], position: null, verified };
  const isKnownOlder = question.isRolledBack && record.fullSyncThrough === null;
  const isRolledBack = isKnownOlder || isOfBackup(question);
  if (isRolledBack || (await standingOf(held, readThrough)) === 'another') {
    return { owed: owedFrom(record, bounds.first), position: record.position, verified };
  }
  return findRemoved(held, standing);
}

/** Whether the agent may have heard what the backup does not hold, and was not told so. */
function isOfBackup({ restoredAt, registeredAt, record }: LossQuestion): boolean {
  return restoredAt !== null && restoredAt !== record.restoredAt && registeredAt <= restoredAt;
}

async function findRemoved(held: Held, standing: Standing): Promise<WhatIsLeft | undefined> {
  const { question, bounds } = held;
  const { record } = question;
  const next = mayHaveLost(held, standing) ? await nextMessage(held) : undefined;
  const isLost = next !== undefined && !isLinked(next, record.position, standing);
  const owesRemoved = record.owed.some(({ from }) => from.sequence < bounds.first);
  if (!isLost && !owesRemoved) return undefined;
  const verified = markBefore(next?.message?.sequence ?? bounds.last + 1, bounds);
  return { owed: owedFrom(record, bounds.first), position: record.position, verified };
}

interface Held {
  readonly question: LossQuestion;
  readonly bounds: StreamBounds;
}

async function standingOf(
  { question, bounds }: Held,
  position: Position | null,
): Promise<Standing> {
  if (position === null) return 'none';
  const { sequence } = position;
  if (sequence > bounds.last) return 'another';
  if (sequence < bounds.first) return 'removed';
  const { inbox, agentId } = question;
  const message = await inbox.stream.readAt(sequence);
  if (!message) return 'removed';
  return isAt(message, subjects.inbox(agentId), position) ? 'there' : 'another';
}

function isAt(message: StreamMessage, subject: string, { index, eventId }: Position): boolean {
  return message.subject === subject && decodeInbox(message).events[index]?.eventId === eventId;
}

/** Whether anything was removed that came after a moment at which nothing was pending. */
function mayHaveLost({ question, bounds }: Held, standing: Standing): boolean {
  const { first, gaps, removedBefore } = bounds;
  const { verified } = question.record;
  // Age removes from the beginning: what comes after something that is there, is there.
  if (standing === 'there' && gaps === 0) return false;
  if (verified) return first > verified.sequence + 1 || gaps > verified.gaps;
  if (first <= 1 && gaps === 0) return false;
  return gaps > 0 || question.registeredAt <= removedBefore;
}

interface Next {
  readonly message: StreamMessage | undefined;
}

/** The first message behind the position. */
async function nextMessage({ question }: Held): Promise<Next> {
  const { inbox, agentId, record } = question;
  const from = (record.position?.sequence ?? 0) + 1;
  return { message: await inbox.stream.readNext(subjects.inbox(agentId), from) };
}

/** Whether nothing is missing between a position and the next message. */
function isLinked({ message }: Next, position: Position | null, standing: Standing): boolean {
  // A subject whose messages were all removed begins again with a link to nothing.
  if (position === null) return false;
  if (standing === 'there') return !message || message.previous === position.sequence;
  return message?.previous === position.sequence && !isInsideMessage(position);
}

/** What is owed of what is still held. */
function owedFrom({ owed }: FeedRecord, first: number): FeedRecord['owed'] {
  return owed
    .filter(({ through }) => through.sequence >= first)
    .map((range) =>
      range.from.sequence >= first ? range : { ...range, from: { sequence: first, index: 0 } },
    );
}

/** Whatever is gone before a message is settled. */
function markBefore(sequence: number, { gaps }: StreamBounds) {
  return { sequence: sequence - 1, gaps, at: Date.now() };
}
