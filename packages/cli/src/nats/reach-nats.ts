import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { loadConfig } from '@relay/runtime';
import { z } from 'zod';
import { environmentOf, type GlobalOptions } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { programOf } from '../installation.ts';
import type { Terminal } from '../terminal.ts';

/** The NATS that a command is to work on. */
export interface ReachedNats {
  readonly servers: string;
  readonly replicas: number;
  /** Stops it where it was started for this command. */
  release(): Promise<void>;
}

const answerSchema = z.object({ url: z.string().nullable() });

/**
 * NATS as the settings name it; else the one of the relay that runs on the data directory. Where none runs
 * it is started there, for as long as it is needed.
 * @throws ConfigError, CommandError
 */
export async function reachNats(terminal: Terminal, options: GlobalOptions): Promise<ReachedNats> {
  const environment = environmentOf(terminal, options);
  const { natsUrl, natsReplicas: replicas } = loadConfig(environment);
  if (natsUrl !== undefined) return { servers: natsUrl, replicas, release: async () => undefined };
  const embedded = await askEmbedded(environment, ['--start']);
  if (embedded.url !== null) return { servers: embedded.url, replicas, release: embedded.release };
  throw new CommandError(exitCodes.unavailable, 'NATS did not start');
}

/** The URL of the NATS that a relay runs on the data directory; null where none runs. */
export async function findEmbeddedNats(
  terminal: Terminal,
  options: GlobalOptions,
): Promise<string | null> {
  const { url, release } = await askEmbedded(environmentOf(terminal, options), []);
  await release();
  return url;
}

/** It prints one line of JSON, and ends when it is told to, or at once where it has started nothing. */
async function askEmbedded(environment: NodeJS.ProcessEnv, args: readonly string[]) {
  const file = programOf('services/standalone/dist/nats-main.js');
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...environment, RELAY_LOG_LEVEL: 'silent' },
  });
  const exited = once(child, 'exit');
  const release = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    return { ...answerSchema.parse(JSON.parse(line)), release };
  }
  throw new CommandError(exitCodes.unavailable, 'NATS of the data directory cannot be reached');
}
