import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { isRunning, readProcessRecord } from './process-record.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export interface NatsReady {
  readonly url: string;
  readonly port: number;
}

/** NATS picks the port itself the first time; clients only find it again on the same one. */
const ANY_PORT = -1;

const portsFileSchema = z.object({ nats: z.tuple([z.url()], z.url()) });

export const natsRecordPath = (dataDir: string) => join(dataDir, 'nats.pid');

/** The URL of the one that runs on the directory; undefined where none does. */
export async function findRunningNats(dataDir: string): Promise<string | undefined> {
  const record = readProcessRecord(natsRecordPath(dataDir));
  if (!record || !isRunning(record)) return undefined;
  const path = join(dataDir, 'nats', 'ports', `nats-server_${record.pid}.ports`);
  return (await readPortsFile(path))?.url;
}

export async function launchNats(
  dataDir: string,
  port = ANY_PORT,
): Promise<ServerProcess<NatsReady>> {
  const directory = join(dataDir, 'nats');
  const portsDirectory = join(directory, 'ports');
  const configPath = join(directory, 'nats.conf');
  await rm(portsDirectory, { recursive: true, force: true });
  await mkdir(portsDirectory, { recursive: true });
  await writeFile(configPath, renderConfig(directory, portsDirectory, port));
  return startServerProcess({
    program: 'nats-server',
    arguments: ['-c', configPath],
    directory,
    recordPath: natsRecordPath(dataDir),
    probe: (pid) => readPortsFile(join(portsDirectory, `nats-server_${pid}.ports`)),
  });
}

function renderConfig(directory: string, portsDirectory: string, port: number): string {
  return `listen: "127.0.0.1:${port}"
ports_file_dir: ${JSON.stringify(portsDirectory)}
max_payload: 8MB
jetstream { store_dir: ${JSON.stringify(directory)} }
`;
}

async function readPortsFile(path: string): Promise<NatsReady | undefined> {
  try {
    const [url] = portsFileSchema.parse(JSON.parse(await readFile(path, 'utf8'))).nats;
    return { url, port: Number(new URL(url).port) };
  } catch {
    return undefined;
  }
}
