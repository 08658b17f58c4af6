import { createServer } from 'node:net';
import { type Config, explainListenError } from '@relay/runtime';

/** Told before anything is started; the gateway's own listen comes last and still decides. */
export function requireFreePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explainListenError(error, { host, port })));
    server.listen(port, host, () => server.close(() => resolve()));
  });
}
