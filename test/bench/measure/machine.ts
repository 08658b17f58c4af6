import { execFileSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem } from 'node:os';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly node: string;
  readonly nats: string;
  readonly redis: string;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? 'unknown CPU',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    node: process.versions.node,
    nats: versionOf('nats-server'),
    redis: versionOf('redis-server'),
  };
}

function versionOf(program: string): string {
  const output = execFileSync(program, ['--version'], { encoding: 'utf8' });
  return /\d+\.\d+\.\d+/.exec(output)?.[0] ?? output.trim();
}

export function renderMachine(machine: Machine): string {
  const { cpu, cores, memoryGiB, kernel, node, nats, redis } = machine;
  return [
    `${cpu}, ${cores} cores, ${memoryGiB} GiB`,
    `Linux ${kernel}`,
    `node ${node}`,
    `nats-server ${nats}`,
    `redis-server ${redis}`,
  ].join(' · ');
}
