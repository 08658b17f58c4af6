import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A text and another one of the same length, so that the protocol's counts stay true. */
interface Rewrite {
  readonly from: string;
  readonly to: string;
  /** Only for the first time. */
  readonly once?: boolean;
}

export interface RewritingLink {
  readonly url: string;
  /** How often something was rewritten. */
  readonly rewritten: () => number;
}

interface Rewrites {
  readonly ofServer?: Rewrite;
  readonly ofClient?: Rewrite;
}

/** "Wrong last sequence" as one server says it, and as three do while a write before is not decided. */
const contended: Rewrite = { from: '"err_code":10071', to: '"err_code":10164' };

/** A link to a NATS server over which each conflict comes as three servers may tell it. */
export function contendedLink(natsUrl: string): Promise<RewritingLink> {
  return rewritingLink(natsUrl, { ofServer: contended });
}

/** A link to a NATS server on which one side is told something else. What comes in two pieces is left. */
export async function rewritingLink(
  natsUrl: string,
  { ofServer, ofClient }: Rewrites,
): Promise<RewritingLink> {
  const { hostname, port } = new URL(natsUrl);
  const sockets = new Set<Socket>();
  let rewritten = 0;
  const rewrite = (chunk: Buffer, { from, to, once: isOnce }: Rewrite) => {
    for (let at = chunk.indexOf(from); at !== -1; at = chunk.indexOf(from, at + 1)) {
      if (isOnce && rewritten > 0) return;
      chunk.write(to, at);
      rewritten += 1;
    }
  };
  const pass = (source: Socket, target: Socket, rule: Rewrite | undefined) =>
    source.on('data', (chunk: Buffer) => {
      if (rule) rewrite(chunk, rule);
      target.write(chunk);
    });
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
    pass(client, server, ofClient);
    pass(server, client, ofServer);
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  onTestFinished(() => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `nats://127.0.0.1:${address.port}`, rewritten: () => rewritten };
}
