import { availableParallelism } from 'node:os';
import { cpuMicroseconds, machineCpuMicroseconds, type TrackedProcess } from './processes.ts';

export interface CpuReading {
  /** Microseconds of CPU of each process, by name. */
  readonly processes: Readonly<Record<string, number>>;
  /** Part of the machine's CPU that went to none of them. */
  readonly foreignShare: number;
}

/** Reads what processes have cost since it was started. */
export class CpuMeter {
  readonly #processes: readonly TrackedProcess[];
  readonly #atStart: ReadonlyMap<TrackedProcess, number>;
  readonly #machineAtStart = machineCpuMicroseconds();
  readonly #ownAtStart = process.cpuUsage();
  readonly #startedAt = performance.now();

  constructor(processes: readonly TrackedProcess[]) {
    this.#processes = processes;
    this.#atStart = new Map(processes.map((process) => [process, cpuMicroseconds(process)]));
  }

  read(): CpuReading {
    const used = this.#processes.map(
      (process) =>
        [process.name, cpuMicroseconds(process) - (this.#atStart.get(process) ?? 0)] as const,
    );
    const own = process.cpuUsage(this.#ownAtStart);
    const ours = used.reduce((sum, [, cpu]) => sum + cpu, own.user + own.system);
    const available = (performance.now() - this.#startedAt) * 1_000 * availableParallelism();
    const foreign = machineCpuMicroseconds() - this.#machineAtStart - ours;
    return {
      processes: Object.fromEntries(used),
      foreignShare: Math.max(0, foreign / available),
    };
  }
}
