import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

/** Reads until this process has ended, however it ended, then does what it was told to. */
const SCRIPT = `
orders=$(cat)
printf '%s\\n' "$orders" | while read -r order argument directory; do
  case "$order" in
    kill) grep -qsF "$directory" "/proc/$argument/cmdline" && kill -9 "$argument" ;;
    remove) rm -rf "$argument" ;;
  esac
done
`;

let orders: Writable | undefined;

/** The directory stands on the server's command line, and tells it from a later process. */
export function killWhenThisProcessEnds(pid: number, directory: string): void {
  orders = orders ?? startReaper();
  orders.write(`kill ${pid} ${directory}\n`);
}

export function removeWhenThisProcessEnds(directory: string): void {
  orders = orders ?? startReaper();
  orders.write(`remove ${directory}\n`);
}

/** In a process group of its own, so that Ctrl-C does not end it first. */
function startReaper(): Writable {
  const reaper = spawn('sh', ['-c', SCRIPT], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  reaper.unref();
  return reaper.stdin;
}
