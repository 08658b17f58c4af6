import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecretKeyText, readSecretKeys, secretKeyPath } from '@relay/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkSealingKeys } from './sealing-keys.ts';

const [set, kept, other] = [createSecretKeyText(), createSecretKeyText(), createSecretKeyText()];
const idsOf = (...texts: string[]) => readSecretKeys(texts.join()).map(({ id }) => id);
let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'relay-test-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

interface Here {
  readonly secretKey?: string;
  readonly file?: string;
  readonly natsUrl?: string;
  readonly withoutKeys?: boolean;
}

function check(needed: string[] | undefined, here: Here) {
  const { file, secretKey, natsUrl, withoutKeys = false } = here;
  if (file !== undefined) writeFileSync(secretKeyPath(dataDir), file);
  const keys = secretKey === undefined ? undefined : readSecretKeys(secretKey);
  const config = { dataDir, natsUrl, secretKey: keys };
  return checkSealingKeys({ sealing_keys: needed }, { config, withoutKeys });
}

describe('the keys of a backup', () => {
  it.each<[string, string[], Here]>([
    ['nothing in it is sealed', [], {}],
    ['the operator has set them', idsOf(set), { secretKey: `${other},${set}` }],
    ['one is in the data directory', idsOf(set, kept), { secretKey: set, file: kept }],
  ])('are no matter where %s', (_, needed, here) => {
    expect(check(needed, here)).toBeUndefined();
  });

  it.each<[string, Here]>([
    ['others are set', { secretKey: other, natsUrl: 'nats://nats.example' }],
    ['one of two is there', { secretKey: set }],
    ['another one is in the data directory', { file: other }],
    ['the first start would make a new one', {}],
  ])('have the restore refused where %s, by their ids', (_, here) => {
    expect(() => check(idsOf(set, kept), here)).toThrow(idsOf(kept)[0]);
    expect(check(idsOf(set, kept), { ...here, withoutKeys: true })).toContain(idsOf(kept)[0]);
  });

  it('are named in a warning where a delivery elsewhere may have them', () => {
    expect(check(idsOf(set), { natsUrl: 'nats://nats.example' })).toContain(idsOf(set)[0]);
  });

  it('are warned of where the backup does not tell them', () => {
    expect(check(undefined, { secretKey: set })).toBeDefined();
  });
});
