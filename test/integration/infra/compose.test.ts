import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const read = (file: string) => readFile(resolve(root, file), 'utf8');

/** Of the image, or of a relay that starts its own servers. */
const notForCompose = ['RELAY_HOST', 'RELAY_PORT', 'RELAY_DATA_DIR', 'RELAY_DEMO'];
/** Given by the files themselves, one of them as a file of its own. */
const givenAsFiles = ['RELAY_ADMIN_TOKEN', 'RELAY_SECRET_KEY'];

it('every setting can be given to the stack', async () => {
  const names = (await read('docs/settings.md')).match(/(?<=^\| `)RELAY_[A-Z0-9_]+(?=`)/gm) ?? [];
  const files = ['infra/services.yaml', 'infra/compose.yaml', 'infra/compose.cluster.yaml'];
  const texts = (await Promise.all(files.map(read))).join('\n');
  const missing = names.filter(
    (name) => !texts.includes(`${name}:`) && ![...notForCompose, ...givenAsFiles].includes(name),
  );
  expect(names.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

it('the image is built from an npm lock, and what is started in it exists', async () => {
  const files = ['infra/compose.yaml', 'infra/compose.cluster.yaml'];
  const texts = (await Promise.all(files.map(read))).join('\n');
  const commands = new Set(texts.match(/services\/[a-z-]+\/dist\/main\.js/g));
  expect([...commands].toSorted()).toEqual(
    ['delivery', 'gateway', 'task-manager'].map((name) => `services/${name}/dist/main.js`),
  );
  for (const command of commands) await read(command.replace('dist/main.js', 'src/main.ts'));
  expect(await read('infra/Dockerfile')).toMatch(/npm ci --omit=dev/);
});
