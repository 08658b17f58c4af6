export { type Append, Appender, type AppendOutcome, linkHeader } from './appender.ts';
export { backupStreams } from './backup/backup-streams.ts';
export { type BackupConnection, connectBackup } from './backup/connect-backup.ts';
export { type StreamDescription, streamDescriptionSchema } from './backup/snapshot.ts';
export { Bucket, type Entry } from './bucket.ts';
export { type Bus, type BusOptions, connectBus } from './bus.ts';
export {
  type ChatIndex,
  ChatRecord,
  encodeChat,
  type RecordedChat,
  readChatIndex,
} from './chat-record.ts';
export { type Checkpoint, CheckpointKeeper, checkpointSchema } from './checkpoints.ts';
export type { CommandServer } from './commands.ts';
export {
  type Connection,
  type NatsOptions,
  openConnection,
  unavailable,
  whileAvailable,
} from './connection.ts';
export type { SealedCounts } from './count-sealed.ts';
export {
  Deliveries,
  type DeliveryAttempts,
  type DeliveryKey,
  type DeliveryRecord,
  type DeliveryToWrite,
  deliveryChangeId,
  isDeadLetterOf,
  readDelivery,
  readDeliveryAttempts,
  readDeliveryKey,
  readStuck,
  readStuckKey,
  type StuckPlace,
} from './deliveries.ts';
export {
  decodeInbox,
  Inbox,
  type InboxEvent,
  type InboxMessage,
  inboxLimits,
  noMarks,
  readMarks,
  type SourceMarks,
  type SourceStreams,
} from './inbox.ts';
export { inspectNats, type NatsReport } from './inspect-nats.ts';
export {
  type Lease,
  type LeaseHandlers,
  LeaseHolder,
  type LeaseOptions,
  type LeaseRecord,
  leaseSchema,
  presenceKey,
} from './leases.ts';
export { type LiveSubscription, LiveSubscriptions } from './live.ts';
export { ReadTurns } from './read-turns.ts';
export { Reader, type ReaderOptions } from './reader.ts';
export { Registry } from './registry.ts';
export { RegistryCache, registryBelief } from './registry-cache.ts';
export { type RegistryChange, type RegistryWrite, readRegistryWrite } from './registry-changes.ts';
export {
  type AuthenticatedAgent,
  type AuthenticatedOwner,
  type HandleRecord,
  handleRecordSchema,
  type TokenHolder,
  tokenHolderSchema,
} from './registry-records.ts';
export { type StartedBus, startBus } from './start-bus.ts';
export {
  defaultWalkLimits,
  Stream,
  type StreamBounds,
  type StreamMessage,
  streamMessage,
  textOf,
  type WalkLimits,
  withOwnBody,
} from './stream.ts';
export {
  agentIdOfSubject,
  feedKey,
  type Partition,
  partitionCount,
  partitionOf,
  partitionOfSubject,
  partitions,
  streams,
  subjects,
} from './subjects.ts';
export {
  contextKeyOf,
  type ExchangeIndex,
  encodeTask,
  type RecordedExchange,
  type RecordedState,
  type RecordedTask,
  readTaskIndex,
  type TaskIndex,
  TaskRecord,
} from './task-record.ts';
export { TokenSessions } from './token-sessions.ts';
export { hashToken, makeToken } from './tokens.ts';
export {
  type BucketName,
  ensureTopology,
  leaseTimeToLive,
  minimumMaxPayload,
  type Topology,
} from './topology.ts';
