import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A link between one process and a server, on which a test can act between two bytes: the process was
 * sent something and has not got it yet.
 */
export class TappedLink {
  readonly #server: Server;
  readonly #targetPort: number;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #awaited: { readonly text: string; readonly onSeen: () => void } | undefined;

  private constructor(server: Server, targetPort: number) {
    this.#server = server;
    this.#targetPort = targetPort;
    server.on('connection', (client) => this.#join(client));
  }

  static async start(targetPort: number): Promise<TappedLink> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TappedLink(server, targetPort);
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }

  /** Acts when a text comes from the server. The process never gets it: the link is cut right after. */
  cutAt(text: string, onSeen: () => void): void {
    this.#awaited = { text, onSeen };
  }

  /** Waits no longer. */
  forget(): void {
    this.#awaited = undefined;
  }

  close(): void {
    this.#server.close();
    this.#cut();
  }

  #join(client: Socket): void {
    const server = connect(this.#targetPort, '127.0.0.1');
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    const end = () => {
      this.#pairs.delete(pair);
      for (const side of pair) side.destroy();
    };
    for (const side of pair) side.setNoDelay(true).on('error', end).once('close', end);
    client.pipe(server);
    server.on('data', (chunk: Buffer) => {
      if (this.#acts(chunk)) return;
      if (!client.write(chunk)) {
        server.pause();
        client.once('drain', () => server.resume());
      }
    });
  }

  /** A text that comes in two pieces is missed; the next one is not. */
  #acts(chunk: Buffer): boolean {
    if (!this.#awaited || !chunk.includes(this.#awaited.text)) return false;
    const { onSeen } = this.#awaited;
    this.#awaited = undefined;
    onSeen();
    this.#cut();
    return true;
  }

  #cut(): void {
    for (const pair of this.#pairs) for (const side of pair) side.destroy();
  }
}
