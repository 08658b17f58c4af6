import { type BackupConnection, connectBackup } from '@relay/bus';
import type { GlobalOptions } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { reachNats } from '../nats/reach-nats.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Works on the NATS that the settings or the data directory name, and lets go of it.
 * @throws CommandError where it cannot be reached
 */
export async function withNats<Result>(
  terminal: Terminal,
  options: GlobalOptions,
  work: (connection: BackupConnection) => Promise<Result>,
): Promise<Result> {
  const nats = await reachNats(terminal, options);
  try {
    const connection = await connectBackup(nats).catch((cause: unknown) => {
      throw new CommandError(exitCodes.unavailable, 'NATS cannot be reached', { cause });
    });
    try {
      return await work(connection);
    } finally {
      await connection.close();
    }
  } finally {
    await nats.release();
  }
}
