import { connect } from 'node:net';

const ANSWER_WITHIN_MS = 300;

/** The first bytes that a NATS or Redis server says: the least that shows it is alive. */
export function greet(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = url.startsWith('/')
      ? connect(url)
      : connect(Number(new URL(url).port), new URL(url).hostname);
    socket.setTimeout(ANSWER_WITHIN_MS, () => socket.destroy(new Error(`no answer from ${url}`)));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (bytes) => {
      resolve(bytes.toString());
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
