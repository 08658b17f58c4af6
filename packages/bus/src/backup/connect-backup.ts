import { JetStreamApiError, jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { z } from 'zod';
import { openConnection } from '../connection.ts';
import { countSealed, type SealedCounts } from '../count-sealed.ts';
import { minimumMaxPayload } from '../topology.ts';
import { backupStreams } from './backup-streams.ts';
import { restoreStream } from './restore.ts';
import { type StreamDescription, snapshotStream } from './snapshot.ts';

/** When the store was restored last, in milliseconds since the epoch: whoever was there before may know more. */
export const restoreRecordSchema = z.object({ at: z.int() });
export const restoreKey = 'last';
export const restorePrefix = 'restore.';

/** What backup and restore do with the NATS of a relay. */
export interface BackupConnection {
  readonly serverVersion: string;
  /** The streams of Relay that are there, in the order of a backup. */
  presentStreams(): Promise<readonly string[]>;
  /** How many bytes a stream has now. */
  bytesOf(stream: string): Promise<number>;
  /** @throws RelayError unavailable */
  countSealed(): Promise<SealedCounts>;
  /** @throws RelayError unavailable */
  snapshot(stream: string, write: (chunk: Uint8Array) => Promise<void>): Promise<StreamDescription>;
  /** @throws RelayError unavailable */
  restore(stream: StreamDescription, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** Has every agent that there was told by a full sync that the relay may know less than it did. */
  noteRestore(at: number): Promise<void>;
  remove(stream: string): Promise<void>;
  close(): Promise<void>;
}

/** @throws Error where NATS cannot be reached, or has no JetStream */
export async function connectBackup(options: {
  readonly servers: string;
  readonly replicas: number;
}): Promise<BackupConnection> {
  const { servers, replicas } = options;
  const connection = await openConnection({ servers, name: 'relay backup' });
  const { nats } = connection;
  const manager = await jetstreamManager(nats);
  const exists = async (stream: string) => {
    try {
      return await manager.streams.info(stream);
    } catch (error) {
      if (error instanceof JetStreamApiError && error.status === 404) return undefined;
      throw error;
    }
  };
  return {
    serverVersion: nats.info?.version ?? '',
    presentStreams: async () => {
      const present: string[] = [];
      for (const stream of backupStreams) if (await exists(stream)) present.push(stream);
      return present;
    },
    bytesOf: async (stream) => (await exists(stream))?.state.bytes ?? 0,
    countSealed: () => countSealed(connection),
    snapshot: (stream, write) => snapshotStream(connection, stream, write),
    restore: async (stream, chunks) => {
      // What was stored under a larger limit could not be read again.
      if ((nats.info?.max_payload ?? 0) < minimumMaxPayload) {
        throw new Error(`Set max_payload of NATS to ${minimumMaxPayload} first.`);
      }
      await restoreStream(connection, stream, { chunks, replicas });
    },
    noteRestore: async (at) => {
      const registry = await new Kvm(jetstream(nats)).open('registry');
      await registry.put(restorePrefix + restoreKey, JSON.stringify({ at }));
    },
    remove: async (stream) => {
      await manager.streams.delete(stream);
    },
    close: () => connection.close(),
  };
}
