import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { expect, it } from 'vitest';
import { readFirstLine, spawnSource } from '../../support/spawn-source.ts';
import { createTemporaryDirectory } from '../../support/temporary-directory.ts';
import { listen, openOutbound, post } from './receivers.ts';

const DAY = 86_400_000;

const authority = await generate([{ name: 'commonName', value: 'Test authority' }], {
  keyType: 'ec',
  algorithm: 'sha256',
  extensions: [
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ],
});

interface CertificateOptions {
  readonly names: readonly string[];
  readonly expires?: number;
}

function createCertificate({ names, expires = Date.now() + DAY }: CertificateOptions) {
  return generate([{ name: 'commonName', value: 'receiver' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { key: authority.private, cert: authority.cert },
    notBeforeDate: new Date(expires - 10 * DAY),
    notAfterDate: new Date(expires),
    extensions: [{ name: 'subjectAltName', altNames: names.map(toAltName) }],
  });
}

const toAltName = (name: string) =>
  /^[\d.]+$/.test(name) ? ({ type: 7, ip: name } as const) : ({ type: 2, value: name } as const);

async function startSecureReceiver(options: CertificateOptions) {
  const { cert, private: key } = await createCertificate(options);
  const server = createServer({ cert, key }, ({ socket }, response) => {
    response.end(socket instanceof TLSSocket ? String(socket.servername) : '');
  });
  return await listen(server);
}

/** Outcomes of a process that trusts the test authority. */
async function postTrusting(...urls: string[]): Promise<unknown> {
  const bundle = join(await createTemporaryDirectory(), 'authority.pem');
  await writeFile(bundle, authority.cert);
  const settings = { NODE_EXTRA_CA_CERTS: bundle };
  return JSON.parse(
    await readFirstLine(spawnSource('test/support/post-process.ts', urls, settings)),
  );
}

it('a receiver proves its name, or its address, by a certificate that is trusted and valid', async () => {
  const named = await startSecureReceiver({ names: ['hooks.example', '127.0.0.1'] });
  const expired = await startSecureReceiver({
    names: ['hooks.example'],
    expires: Date.now() - DAY,
  });
  const outcomes = await postTrusting(
    `https://hooks.example:${named.port}/`,
    `https://127.0.0.1:${named.port}/`,
    `https://other.example:${named.port}/`,
    `https://hooks.example:${expired.port}/`,
  );
  expect(outcomes).toMatchObject([
    { kind: 'delivered', answer: { text: 'hooks.example' } },
    { kind: 'delivered', answer: { text: 'false' } },
    { kind: 'retry', failure: { code: 'tls', detail: 'ERR_TLS_CERT_ALTNAME_INVALID' } },
    { kind: 'retry', failure: { code: 'tls', detail: 'CERT_HAS_EXPIRED' } },
  ]);
  // Both posts of a delivery went over one connection.
  expect(named.connections).toHaveLength(4);
});

it('a receiver whose certificate is not trusted gets no request', async () => {
  const receiver = await startSecureReceiver({ names: ['127.0.0.1'] });
  expect(await post(openOutbound(), `https://127.0.0.1:${receiver.port}/`)).toMatchObject({
    kind: 'retry',
    failure: { code: 'tls', detail: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
  });
});
