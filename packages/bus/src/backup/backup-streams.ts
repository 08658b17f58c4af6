import { streams } from '../subjects.ts';

/**
 * Everything that NATS holds for Relay, but for leases: in the order in which it is backed up while Relay
 * goes on, so that what is read later is at least as new as what refers to it.
 *
 * - A checkpoint must not pass what its reader has appended, nor a feed's position the deliveries that stand
 *   for the events before it, nor a delivery the inbox that has its body.
 * - Marks in an inbox must not pass the changes of tasks and chats, or new ones would count as told. Those
 *   of deliveries do: after a restore they count for nothing.
 * - A chat closes an exchange before its outcome is published among the tasks. The repair publishes an
 *   outcome that is missing there; one that the chat does not know of it could not explain.
 * - The keys of messages sent, and whoever is named in all of that, come last.
 */
export const backupStreams = [
  'KV_checkpoints',
  streams.feeds,
  streams.deliveries,
  streams.inbox,
  streams.tasks,
  streams.chats,
  'KV_idempotency',
  'KV_registry',
] as const;
