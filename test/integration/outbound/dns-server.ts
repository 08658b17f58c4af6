import { createSocket } from 'node:dgram';
import { getServers, setServers } from 'node:dns';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

/** Addresses as bytes: 4 of them for A, 16 for AAAA. */
export type Answers = (name: string, type: 'A' | 'AAAA') => readonly Uint8Array[] | 'silent';

/** Makes a name server on loopback the one that this process asks, until the test is finished. */
export async function answerNames(answers: Answers): Promise<void> {
  const server = createSocket('udp4');
  server.on('message', (query, { port, address }) => {
    const { name, end } = readName(query);
    const type = TYPES[query.readUInt16BE(end)];
    const answer = type ? answers(name, type) : [];
    if (answer !== 'silent')
      server.send(respond(query.subarray(0, end + 4), answer), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const before = getServers();
  setServers([`127.0.0.1:${server.address().port}`]);
  onTestFinished(() => {
    setServers(before);
    server.close();
  });
}

/** RFC 1035 §4.1.2: labels with their lengths before them, an empty one at the end. */
function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 1 };
}

function respond(question: Buffer, answers: readonly Uint8Array[]): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(answers.length > 0 ? 0x8180 : 0x8183, 2);
  header.writeUInt16BE(answers.length, 6);
  header.writeUInt32BE(0, 8);
  const records = answers.map((address) => {
    // The name by a pointer to the question, its type and class, no time to live, the length.
    const type = address.length === 4 ? 1 : 28;
    const fields = [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length];
    return Buffer.concat([Buffer.from(fields), address]);
  });
  return Buffer.concat([header, question.subarray(12), ...records]);
}
