import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** "Wrong last sequence" as one server says it, and as three do while a write before is not decided. */
const [decided, contended] = ['"err_code":10071', '"err_code":10164'] as const;

export interface ContendedLink {
  readonly url: string;
  /** How often a server has answered so. */
  readonly answers: () => number;
}

/** A link to a NATS server over which each conflict comes as three servers may tell it. */
export async function contendedLink(natsUrl: string): Promise<ContendedLink> {
  const { hostname, port } = new URL(natsUrl);
  const sockets = new Set<Socket>();
  let answers = 0;
  const tell = (chunk: Buffer) => {
    for (let at = chunk.indexOf(decided); at !== -1; at = chunk.indexOf(decided, at)) {
      chunk.write(contended, at);
      answers += 1;
    }
    return chunk;
  };
  const listener = createServer((client) => {
    const server = connect(Number(port), hostname);
    const end = () => {
      for (const side of [client, server]) {
        sockets.delete(side);
        side.destroy();
      }
    };
    for (const side of [client, server]) {
      sockets.add(side);
      side.setNoDelay(true).on('error', end).once('close', end);
    }
    client.pipe(server);
    server.on('data', (chunk: Buffer) => client.write(tell(chunk)));
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `nats://127.0.0.1:${address.port}`, answers: () => answers };
}
