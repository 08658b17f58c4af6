import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { closed, openOutbound, post, startRawReceiver } from './receivers.ts';

const head = 'HTTP/1.1 200 OK\r\n';

/** Writes on until the other side is gone, as fast as it is read. */
function writeForEver(socket: Socket, text: string): void {
  const writeOn = () => {
    while (!socket.destroyed && socket.write(text));
  };
  socket.on('drain', writeOn);
  writeOn();
}

const never: Record<string, (socket: Socket) => void> = {
  'says nothing': () => {},
  'stops within the status line': (socket) => socket.write('HTTP/1.1 2'),
  'stops within the headers': (socket) => socket.write(`${head}x-slow: `),
  'only ever gives hints': (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'),
};

it.each(Object.entries(never))('a receiver that %s costs its time limit', async (_what, answer) => {
  const receiver = await startRawReceiver(answer);
  expect(await post(openOutbound(), receiver.url, { milliseconds: 100 })).toMatchObject({
    kind: 'retry',
    failure: { code: 'response_timeout' },
  });
  await closed(receiver.connections[0]);
});

const broken: [string, string, (socket: Socket) => void][] = [
  ['resets the connection', 'reset', (socket) => socket.resetAndDestroy()],
  ['closes the connection', 'reset', (socket) => socket.destroy()],
  ['closes only its own half', 'reset', (socket) => socket.end()],
  ['closes within the headers', 'reset', (socket) => socket.end(`${head}x-half: `)],
  ['speaks another protocol', 'response_invalid', (socket) => socket.write('220 SMTP ready\r\n')],
  ['sends binary garbage', 'response_invalid', (socket) => socket.write(Buffer.alloc(64, 0xff))],
  [
    'answers with two lengths',
    'response_invalid',
    (socket) => socket.write(`${head}content-length: 1\r\ncontent-length: 2\r\n\r\n`),
  ],
  [
    'switches protocols',
    'response_invalid',
    (socket) => socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  ],
  [
    'sends one endless header',
    'response_too_large',
    (socket) => {
      socket.write(`${head}x-endless: `);
      writeForEver(socket, 'x'.repeat(1_024));
    },
  ],
  [
    'gives hints without end',
    'response_too_large',
    (socket) => writeForEver(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(100)),
  ],
  [
    'sends headers without end',
    'response_too_large',
    (socket) => {
      socket.write(head);
      writeForEver(socket, 'x-more: 1\r\n'.repeat(100));
    },
  ],
];

it.each(broken)('a receiver that %s is %s', async (_what, code, answer) => {
  const receiver = await startRawReceiver(answer);
  expect(await post(openOutbound(), receiver.url)).toMatchObject({
    kind: 'retry',
    failure: { code },
  });
  await closed(receiver.connections[0]);
});

const unfinished: Record<string, (socket: Socket) => void> = {
  'drips it': (socket) => {
    socket.write(`${head}content-length: 1000\r\n\r\ngot it`);
  },
  'never ends it': (socket) => {
    socket.write(`${head}\r\ngot it`);
    writeForEver(socket, 'x'.repeat(1_024));
  },
  'never ends its chunks': (socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n6\r\ngot it\r\n`);
    writeForEver(socket, '1\r\nx\r\n'.repeat(1_000));
  },
  'cuts it off': (socket) => socket.end(`${head}content-length: 1000\r\n\r\ngot it`),
  'resets within it': (socket) => {
    socket.write(`${head}content-length: 1000\r\n\r\ngot it`, () => {
      setImmediate(() => socket.resetAndDestroy());
    });
  },
  'breaks its encoding': (socket) => {
    socket.write(`${head}transfer-encoding: chunked\r\n\r\n6\r\ngot it\r\nzzz\r\n`);
  },
};

it.each(Object.entries(unfinished))(
  'a receiver that accepts but, of its body, %s has accepted',
  async (_what, answer) => {
    const receiver = await startRawReceiver(answer);
    const limits = { milliseconds: 300, answerBytes: 6 };
    expect(await post(openOutbound(), receiver.url, limits)).toMatchObject({
      kind: 'delivered',
      answer: { status: 200, text: 'got it', complete: false },
    });
    await closed(receiver.connections[0]);
  },
);

it('an answer that nobody asked for is not taken for the answer to the next request', async () => {
  let requests = 0;
  const receiver = await startRawReceiver((socket) => {
    requests += 1;
    const answer = `${head}content-length: 1\r\n\r\n${requests}`;
    socket.write(requests === 1 ? `${answer}HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n` : answer);
  });
  const outbound = openOutbound();
  expect(await post(outbound, receiver.url)).toMatchObject({ answer: { text: '1' } });
  expect(await post(outbound, receiver.url)).toMatchObject({
    kind: 'delivered',
    answer: { text: '2' },
  });
});

it('a request that met a reset on a kept connection goes once more over a new one', async () => {
  let requests = 0;
  const receiver = await startRawReceiver((socket) => {
    requests += 1;
    if (requests === 1) socket.write(`${head}content-length: 0\r\n\r\n`);
    else socket.resetAndDestroy();
  });
  const outbound = openOutbound();
  expect(await post(outbound, receiver.url)).toMatchObject({ kind: 'delivered' });
  expect(await post(outbound, receiver.url)).toMatchObject({ failure: { code: 'reset' } });
  expect(requests).toBe(3);
  expect(await post(outbound, receiver.url)).toMatchObject({ failure: { code: 'reset' } });
  expect(requests).toBe(4);
});
