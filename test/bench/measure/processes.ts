import { readdirSync, readFileSync } from 'node:fs';

/** A process whose cost is measured, under its name in the reports. */
export interface TrackedProcess {
  readonly name: string;
  readonly pid: number;
}

/** Linux tells programs CPU time in hundredths of a second. */
const microsecondsPerTick = 10_000;

/** Field numbers of `/proc/<pid>/stat`, less the three that come before the parent's id. */
const parentField = 0;
const userTimeField = 10;
const systemTimeField = 11;

/**
 * User and system time of a process since it started.
 * @throws Error when it has ended
 */
export function cpuMicroseconds({ name, pid }: TrackedProcess): number {
  const fields = tryToReadStat(pid);
  if (!fields) throw new Error(`${name} has ended`);
  const ticks = Number(fields[userTimeField]) + Number(fields[systemTimeField]);
  return ticks * microsecondsPerTick;
}

/** Time that all cores together have not been idle since the machine started. */
export function machineCpuMicroseconds(): number {
  const [user, nice, system, , , interrupt, softInterrupt] =
    /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]?.split(' ').map(Number) ?? [];
  const parts = [user, nice, system, interrupt, softInterrupt];
  return parts.reduce<number>((sum, ticks = 0) => sum + ticks, 0) * microsecondsPerTick;
}

export function residentBytes({ pid }: TrackedProcess): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** The processes that a process started and that still run, named by their programs. */
export function childrenOf(pid: number): TrackedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => Number(tryToReadStat(candidate)?.[parentField]) === pid)
    .map((child) => ({ name: programOf(child), pid: child }));
}

const programOf = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();

/** The fields from the parent's id on; nothing for a process that has ended. */
function tryToReadStat(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, which comes before, may hold spaces and parentheses.
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(1);
  } catch {
    return undefined;
  }
}
