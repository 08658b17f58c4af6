import { connect } from 'node:net';

const CONNECT_WITHIN_MS = 3_000;
const REDIS_PORT = 6379;

/** Undefined when Redis can be reached, else why not, without the password a URL may hold. */
export function findRedisProblem(url: string): Promise<string | undefined> {
  const { name, endpoint } = parseRedisUrl(url);
  return new Promise((resolve) => {
    const socket = connect(endpoint);
    const finish = (problem: string | undefined) => {
      resolve(problem);
      socket.destroy();
    };
    socket.setTimeout(CONNECT_WITHIN_MS, () => finish(`no answer from ${name}`));
    socket.once('connect', () => finish(undefined));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      finish(`${name} (${error.code ?? error.message})`),
    );
  });
}

function parseRedisUrl(url: string) {
  if (url.startsWith('/')) return { name: url, endpoint: { path: url } };
  const { host, hostname, port } = new URL(url);
  return {
    name: host,
    endpoint: {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? REDIS_PORT : Number(port),
    },
  };
}
