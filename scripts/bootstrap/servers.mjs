import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { giveUp, run, tell } from './run.mjs';

/** Where systems put servers that an ordinary user's PATH leaves out. */
const MORE_DIRECTORIES = ['/usr/local/bin', '/usr/local/sbin', '/usr/sbin', '/opt/homebrew/bin'];

const PACKAGE_MANAGERS = [
  {
    program: 'apt-get',
    needsRoot: true,
    prepare: [['update', '-q']],
    install: ['install', '-q', '-y', '--no-install-recommends'],
    packages: {
      'nats-server': 'nats-server',
      'redis-server': 'redis-server',
      promtool: 'prometheus',
      caddy: 'caddy',
    },
  },
  {
    program: 'dnf',
    needsRoot: true,
    prepare: [],
    install: ['install', '-y'],
    packages: {
      'nats-server': 'nats-server',
      'redis-server': 'redis',
      promtool: 'golang-github-prometheus',
      caddy: 'caddy',
    },
  },
  {
    program: 'apk',
    needsRoot: true,
    prepare: [],
    install: ['add'],
    packages: {
      'nats-server': 'nats-server',
      'redis-server': 'redis',
      promtool: 'prometheus',
      caddy: 'caddy',
    },
  },
  {
    program: 'brew',
    needsRoot: false,
    prepare: [],
    install: ['install'],
    packages: {
      'nats-server': 'nats-server',
      'redis-server': 'redis',
      promtool: 'prometheus',
      caddy: 'caddy',
    },
  },
];

/** All are started by Relay itself or its tests, on addresses of their own. */
export function ensureServers(servers) {
  process.env.PATH = [process.env.PATH, ...MORE_DIRECTORIES].filter(Boolean).join(delimiter);
  const missing = servers.filter((server) => !isOnPath(server));
  if (missing.length === 0) return;
  const manager = PACKAGE_MANAGERS.find(({ program }) => isOnPath(program));
  if (manager === undefined || !mayInstall(manager)) giveUp(howToInstall(missing, manager));
  install(manager, missing);
  const stillMissing = missing.filter((server) => !isOnPath(server));
  if (stillMissing.length > 0) giveUp(howToInstall(stillMissing, manager));
}

/** Homebrew refuses root, the others need it. */
function mayInstall({ needsRoot }) {
  return needsRoot === (process.getuid?.() === 0);
}

function install({ program, prepare, install, packages }, servers) {
  tell(`installing ${servers.join(' and ')} with ${program}`);
  process.env.DEBIAN_FRONTEND ??= 'noninteractive';
  for (const args of prepare) run(program, args);
  run(program, [...install, ...servers.map((server) => packages[server])]);
}

function howToInstall(servers, manager) {
  const given = 'or set RELAY_NATS_URL and RELAY_REDIS_URL to servers that run already';
  if (manager === undefined) {
    return `${servers.join(' and ')} not found: install it (nats.io, redis.io), ${given}`;
  }
  const { program, needsRoot, install, packages } = manager;
  const names = servers.map((server) => packages[server]).join(' ');
  const command = `${needsRoot ? 'sudo ' : ''}${program} ${install[0]} ${names}`;
  return `${servers.join(' and ')} not found: run "${command}", ${given}`;
}

export function isOnPath(program) {
  return process.env.PATH.split(delimiter).some((directory) =>
    isExecutable(join(directory, program)),
  );
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return existsSync(path);
  } catch {
    return false;
  }
}
