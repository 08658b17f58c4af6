import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** One address before several replicas, as a proxy gives it: a connection goes to the next that takes it. */
export class Balancer {
  readonly url: string;
  readonly #server: Server;
  readonly #ports: readonly number[];
  #connections = 0;

  private constructor(server: Server, port: number, urls: readonly string[]) {
    this.#server = server;
    this.#ports = urls.map((url) => Number(new URL(url).port));
    this.url = `http://127.0.0.1:${port}`;
    server.on('connection', (client) => {
      this.#connections += 1;
      this.#pass(client, this.#connections, this.#ports.length);
    });
  }

  static async start(urls: readonly string[], atPort = 0): Promise<Balancer> {
    const server = createServer().listen(atPort, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return new Balancer(server, address.port, urls);
  }

  close(): void {
    this.#server.close();
  }

  #pass(client: Socket, turn: number, triesLeft: number): void {
    const port = this.#ports[turn % this.#ports.length];
    if (triesLeft === 0 || port === undefined) return void client.destroy();
    const replica = connect(port, '127.0.0.1');
    const tryNext = () => this.#pass(client, turn + 1, triesLeft - 1);
    replica.once('error', tryNext);
    replica.once('connect', () => {
      replica.off('error', tryNext);
      join(client, replica);
    });
  }
}

function join(client: Socket, replica: Socket): void {
  const end = () => {
    client.destroy();
    replica.destroy();
  };
  for (const side of [client, replica]) side.on('error', end).once('close', end);
  client.pipe(replica).pipe(client);
}
