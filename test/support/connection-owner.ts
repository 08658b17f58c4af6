import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const hexadecimal = 16;

/**
 * Which of some processes holds the local end of a TCP connection over IPv4. Linux only.
 * @param port its local port
 */
export function ownerOfPort(port: number, pids: readonly number[]): number | undefined {
  const inode = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .find(
      ([, local = '']) => Number.parseInt(local.split(':')[1] ?? '', hexadecimal) === port,
    )?.[9];
  if (inode === undefined) return undefined;
  return pids.find((pid) => openFiles(pid).includes(`socket:[${inode}]`));
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
