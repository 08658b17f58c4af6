import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { ChatCommandPort, DeliveryPort, TaskCommandPort } from '@relay/domain';
import type { TaskId } from '@relay/protocol';
import { z } from 'zod';
import { Appender } from './appender.ts';
import { restoreKey, restorePrefix, restoreRecordSchema } from './backup/connect-backup.ts';
import { whileBeingMade } from './being-made.ts';
import { Bucket } from './bucket.ts';
import { ChatRecord } from './chat-record.ts';
import { CheckpointKeeper, checkpointSchema } from './checkpoints.ts';
import {
  chatCommandPort,
  deliveryPort,
  serveChatCommands,
  serveDeliveryCommands,
  serveTaskCommands,
  taskCommandPort,
} from './command-ports.ts';
import { openConnection } from './connection.ts';
import { Deliveries } from './deliveries.ts';
import { Inbox } from './inbox.ts';
import { LeaseHolder, type LeaseOptions, leaseSchema, presenceKey } from './leases.ts';
import { LiveSubscriptions } from './live.ts';
import { ReadTurns, readsOfMany } from './read-turns.ts';
import { Reader, type ReaderOptions } from './reader.ts';
import { Requests } from './requests.ts';
import { Stream } from './stream.ts';
import { streams } from './subjects.ts';
import { TaskRecord } from './task-record.ts';
import { type BucketName, ensureTopology } from './topology.ts';

export interface BusOptions {
  readonly servers: string;
  readonly name: string;
  readonly replicas: number;
}

/** Everything Relay does with NATS. Live subscriptions have a connection of their own. */
export async function connectBus({ servers, name, replicas }: BusOptions) {
  const main = await openConnection({ servers, name });
  const liveConnection = await openConnection({ servers, name: `${name} live` });
  const manager = await jetstreamManager(main.nats);
  const topology = await ensureTopology(main.nats, replicas);
  const client = jetstream(main.nats);
  const requests = new Requests(main);
  const appender = new Appender(requests);
  const live = new LiveSubscriptions(liveConnection);
  const isDirect = replicas === 1;
  const stream = (streamName: string) => {
    const created = topology.streamCreation.get(streamName) ?? '';
    return new Stream(streamName, { connection: main, manager, requests, isDirect, created });
  };
  const tasks = new TaskRecord(stream(streams.tasks), appender, live);
  const chats = new ChatRecord(stream(streams.chats), appender);
  const deliveries = new Deliveries(stream(streams.deliveries), appender);
  const bucket = <Value>(bucketName: BucketName, prefix: string, schema: z.ZodType<Value>) => {
    const options = { connection: main, appender, kv: topology.buckets[bucketName] };
    return new Bucket({
      ...options,
      name: bucketName,
      stream: stream(`KV_${bucketName}`),
      prefix,
      schema,
    });
  };
  const leases = bucket('leases', '', leaseSchema);
  const checkpoints = bucket('checkpoints', '', checkpointSchema);
  const restores = bucket('registry', restorePrefix, restoreRecordSchema);
  const restored = await whileBeingMade(() => restores.get(restoreKey));
  const restoredAt = restored?.value.at ?? null;
  return {
    tasks,
    chats,
    inbox: new Inbox(stream(streams.inbox), appender, live),
    deliveries,
    /** The bucket of feed records as the stream that it is. */
    feedRecords: stream(streams.feeds),
    /** The bucket of the registry as the stream that it is. */
    registryRecords: stream(streams.registry),
    live,
    bucket,
    /** Removes the push notification configs of a task for good. */
    forgetPushConfigs: (taskId: TaskId) => bucket('registry', 'push.', z.unknown()).purge(taskId),
    /** When the store was restored from a backup, in milliseconds since the epoch; null where it was not. */
    restoredAt,
    /** When TASKS was made: tells it from another stream of that name. */
    get tasksCreated() {
      return tasks.stream.created;
    },
    /** When CHATS was made. */
    get chatsCreated() {
      return chats.stream.created;
    },
    /** When DELIVERIES was made; a backup has it as it was before the inboxes, and so it is another one then. */
    get deliveriesCreated() {
      const { created } = deliveries.stream;
      return restoredAt === null ? created : `${created} restored ${restoredAt}`;
    },
    holdLeases: (options: LeaseOptions) => new LeaseHolder(leases, live, options),
    /** Whether a replica of a group of services is there. */
    isPresent: async (group: string, replicaId: string) =>
      (await leases.get(presenceKey(group, replicaId))) !== undefined,
    /** For a relay that is alone on its data: nobody else can hold what a killed process left. */
    clearLeases: () => leases.purge('>'),
    /** The way to the task-managers that listen on this NATS. */
    taskCommands: taskCommandPort(main, requests),
    serveTaskCommands: (port: TaskCommandPort, onError: (error: unknown) => void) =>
      serveTaskCommands(port, { connection: main, onError }),
    chatCommands: chatCommandPort(main, requests),
    serveChatCommands: (port: ChatCommandPort, onError: (error: unknown) => void) =>
      serveChatCommands(port, { connection: main, onError }),
    /** The way to the deliveries that listen on this NATS. */
    deliveryCommands: deliveryPort(main, requests),
    serveDeliveryCommands: (port: DeliveryPort, onError: (error: unknown) => void) =>
      serveDeliveryCommands(port, { connection: main, onError }),
    checkpoint: (key: string) => new CheckpointKeeper(checkpoints, key),
    read: (options: ReaderOptions) => new Reader(main, client, options),
    /** For reads of many heads, of which nobody knows how large they are. */
    turnsOfMany: new ReadTurns(readsOfMany),
    isConnected: () => main.isConnected() && liveConnection.isConnected(),
    onReconnect: (listener: () => void) => main.onReconnect(listener),
    /** Sends what is still to be sent, then closes both connections. */
    close: async () => {
      requests.close();
      await Promise.all([liveConnection.close(), main.close()]);
    },
  };
}
export type Bus = Awaited<ReturnType<typeof connectBus>>;
