import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { killWhenThisProcessEnds } from './reaper.ts';
import { freePort } from './relay.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';

const rules = resolve(import.meta.dirname, '../../infra/prometheus/alerts.yaml');
const alertsSchema = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.record(z.string(), z.string()) })),
  }),
});

/** A Prometheus that reads services and judges them by the stack's own rules. */
export class Prometheus {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #directory: string;

  private constructor(url: string, child: ChildProcess, directory: string) {
    this.url = url;
    this.#process = child;
    this.#directory = directory;
  }

  /** @param targets URLs by the name of the service */
  static async start(targets: Readonly<Record<string, readonly string[]>>): Promise<Prometheus> {
    const directory = await createTemporaryDirectory();
    const config = join(directory, 'prometheus.yaml');
    await writeFile(config, configOf(targets));
    const address = `127.0.0.1:${await freePort()}`;
    const child = spawn(
      'prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${directory}`,
        `--web.listen-address=${address}`,
      ],
      { stdio: 'ignore' },
    );
    if (child.pid !== undefined) killWhenThisProcessEnds(child.pid, directory);
    const prometheus = new Prometheus(`http://${address}`, child, directory);
    while (!(await prometheus.#isReady())) await delay(100);
    return prometheus;
  }

  /** Names of the alerts that fire. */
  async firing(): Promise<string[]> {
    const answer = await fetch(`${this.url}/api/v1/alerts`);
    const { data } = alertsSchema.parse(await answer.json());
    const firing = data.alerts.filter(({ state }) => state === 'firing');
    return [...new Set(firing.map(({ labels }) => labels['alertname'] ?? ''))].toSorted();
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await exited;
    await rm(this.#directory, { recursive: true });
  }

  async #isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/-/ready`).catch(() => undefined);
    if (this.#process.exitCode !== null) throw new Error('prometheus ended at its start');
    return answer?.ok === true;
  }
}

/** JSON is YAML, too. */
function configOf(targets: Readonly<Record<string, readonly string[]>>): string {
  const jobs = Object.entries(targets).map(([job_name, urls]) => ({
    job_name,
    static_configs: [{ targets: urls.map((url) => new URL(url).host) }],
  }));
  const global = { scrape_interval: '1s', evaluation_interval: '1s' };
  return JSON.stringify({ global, rule_files: [rules], scrape_configs: jobs });
}
