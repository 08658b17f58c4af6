import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const hexadecimal = 16;

/** The ports of a connection on this machine, as the process sees it that is looked for. */
export interface ConnectionPorts {
  readonly local: number;
  readonly remote: number;
}

/** Which of some processes holds an end of a TCP connection over IPv4. Linux only. */
export function ownerOfConnection(
  ports: ConnectionPorts,
  pids: readonly number[],
): number | undefined {
  const inode = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .find(
      ([, local, remote]) => portOf(local) === ports.local && portOf(remote) === ports.remote,
    )?.[9];
  if (inode === undefined) return undefined;
  return pids.find((pid) => openFiles(pid).includes(`socket:[${inode}]`));
}

function portOf(address = ''): number {
  return Number.parseInt(address.split(':')[1] ?? '', hexadecimal);
}

function openFiles(pid: number): string[] {
  const directory = `/proc/${pid}/fd`;
  return orNone(() => readdirSync(directory)).flatMap((file) =>
    orNone(() => [readlinkSync(`${directory}/${file}`)]),
  );
}

/** The process may have ended, and the file may have been closed. */
function orNone(read: () => string[]): string[] {
  try {
    return read();
  } catch {
    return [];
  }
}
