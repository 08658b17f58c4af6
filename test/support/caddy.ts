import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { endProcess } from './node-process.ts';
import { killWhenThisProcessEnds } from './reaper.ts';
import { freePort } from './relay.ts';
import { createTemporaryDirectory } from './temporary-directory.ts';

const infra = resolve(import.meta.dirname, '../../infra');

/** What compose gives the proxy. */
export interface ProxySettings {
  /** `http://` for plain HTTP. */
  readonly STACK_DOMAIN: string;
  readonly GATEWAYS: string;
  readonly DELIVERIES: string;
  readonly UPSTREAM_HEALTH?: string;
}

const configSchema = z.looseObject({
  apps: z.looseObject({
    http: z.looseObject({
      servers: z.object({ srv0: z.looseObject({ listen: z.array(z.enum([':80', ':443'])) }) }),
    }),
  }),
});

/** A Caddy with the stack's own file, on other ports than those of its container. */
export class Caddy {
  /** Where plain HTTP is spoken. */
  readonly httpUrl: string;
  /** The origin for clients. */
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #directory: string;
  #authority: string | undefined;
  #log = '';

  private constructor(httpUrl: string, url: string, child: ChildProcess, directory: string) {
    this.httpUrl = httpUrl;
    this.url = url;
    this.#process = child;
    this.#directory = directory;
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#log += chunk.toString();
    });
  }

  /** Resolves when it answers, and has its certificate where it needs one. */
  static async start(settings: ProxySettings): Promise<Caddy> {
    const directory = await createTemporaryDirectory();
    const [http, https] = [await freePort(), await freePort()];
    const config = join(directory, 'caddy.json');
    await writeFile(config, JSON.stringify(await configOf(settings, http, https)));
    const child = spawn('caddy', ['run', '--config', config], {
      env: environmentOf(directory),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    if (child.pid !== undefined) killWhenThisProcessEnds(child.pid, directory);
    const { STACK_DOMAIN: domain } = settings;
    const isPlain = domain === 'http://';
    const httpUrl = `http://${isPlain ? '127.0.0.1' : domain}:${http}`;
    const url = isPlain ? httpUrl : `https://${domain}:${https}`;
    const caddy = new Caddy(httpUrl, url, child, directory);
    while (!(await caddy.#isReady())) await delay(50);
    return caddy;
  }

  /** The certificate of the authority that it made for itself, as PEM. */
  get authority(): string {
    if (this.#authority === undefined) throw new Error('it has made no certificate');
    return this.#authority;
  }

  async stop(): Promise<void> {
    await endProcess(this.#process, 'SIGKILL');
    await rm(this.#directory, { recursive: true });
  }

  async #isReady(): Promise<boolean> {
    if (this.#process.exitCode !== null) throw new Error(`caddy ended:\n${this.#log}`);
    const root = join(this.#directory, 'caddy/pki/authorities/local/root.crt');
    this.#authority = await readFile(root, 'utf8').catch(() => undefined);
    const dispatcher = new Agent({ connect: { ca: this.#authority } });
    // It answers this by itself.
    const answer = await request(`${this.url}/metrics`, { dispatcher }).catch(() => undefined);
    await dispatcher.destroy();
    return answer !== undefined;
  }
}

/** The lines by which the cluster's proxy asks whether a replica is well. */
export async function clusterHealth(): Promise<string> {
  const compose = await readFile(join(infra, 'compose.cluster.yaml'), 'utf8');
  const [, lines] = /UPSTREAM_HEALTH: \|\n((?: {8}.*\n)+)/.exec(compose) ?? [];
  if (lines === undefined) throw new Error('the cluster asks no replica how it is');
  return lines;
}

/** The stack's file, but for the ports, which one machine cannot give to several at once. */
async function configOf(settings: ProxySettings, http: number, https: number): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    'caddy',
    ['adapt', '--config', join(infra, 'Caddyfile'), '--adapter', 'caddyfile'],
    { env: { PATH: process.env['PATH'], ...settings } },
  );
  const { apps, ...rest } = configSchema.parse(JSON.parse(stdout));
  const { srv0 } = apps.http.servers;
  const ports = { ':80': http, ':443': https };
  const listen = srv0.listen.map((address) => `127.0.0.1:${ports[address]}`);
  return {
    ...rest,
    admin: { disabled: true },
    apps: {
      ...apps,
      http: { ...apps.http, http_port: http, servers: { srv0: { ...srv0, listen } } },
    },
  };
}

/** As in its container: what it keeps is in one directory. */
function environmentOf(directory: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: directory,
    XDG_DATA_HOME: directory,
    XDG_CONFIG_HOME: directory,
  };
}
