import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { ConfigError, loadConfig, requireSettings } from './config.ts';

function problemsOf(load: () => unknown): readonly string[] {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('expected a ConfigError');
}

describe('loadConfig', () => {
  it('has defaults for an empty environment', () => {
    expect(loadConfig({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      trustProxy: false,
      dataDir: resolve('.relay'),
      demo: true,
      sendWaitSeconds: 60,
      streamSeconds: 600,
      keepaliveSeconds: 4,
      retentionDays: 30,
      drainSeconds: 10,
      connectionLimit: 20_000,
      requestLimit: 2_000,
      waitLimit: 10_000,
      socketLimit: 15_000,
      bodyLimitBytes: 8_388_608,
      taskLimitBytes: 4_194_304,
      webhookChallenge: false,
      webhookRetrySeconds: [2, 4, 8, 16, 32, 64, 128, 256, 512, 600],
      webhookTimeoutSeconds: 10,
      natsReplicas: 1,
      a2aAuthErrors: 401,
      a2aPush: true,
      messageRate: 300,
      chatMessageRate: 10,
      logLevel: 'info',
    });
  });

  it('reads each kind of setting', () => {
    const config = loadConfig({
      RELAY_PORT: '9000',
      RELAY_PUBLIC_URL: 'https://relay.example/',
      RELAY_TRUST_PROXY: 'true',
      RELAY_NATS_URL: 'nats://one:4222,tls://two:4222',
      RELAY_REDIS_URL: '/run/redis.sock',
      RELAY_KEEPALIVE_SECONDS: '0.5',
      RELAY_WEBHOOK_RETRY_SECONDS: '5, 300,1800.5',
      RELAY_A2A_AUTH_ERRORS: '200',
    });
    expect(config).toMatchObject({
      port: 9000,
      publicUrl: 'https://relay.example',
      trustProxy: true,
      webhookRetrySeconds: [5, 300, 1800.5],
      natsUrl: 'nats://one:4222,tls://two:4222',
      redisUrl: '/run/redis.sock',
      keepaliveSeconds: 0.5,
      a2aAuthErrors: 200,
    });
  });

  it('cannot be changed', () => {
    expect(loadConfig({})).toSatisfy(Object.isFrozen);
  });

  it('counts an empty variable as unset', () => {
    expect(loadConfig({ RELAY_PORT: '', RELAY_NATS_URL: '' })).toMatchObject({ port: 8080 });
  });

  it("takes the service's own port unless one is set", () => {
    expect(loadConfig({}, 8081).port).toBe(8081);
    expect(loadConfig({ RELAY_PORT: '9000' }, 8081).port).toBe(9000);
  });

  it('runs the demo only beside an embedded NATS, unless told', () => {
    expect(loadConfig({ RELAY_NATS_URL: 'nats://one:4222' }).demo).toBe(false);
    expect(loadConfig({ RELAY_NATS_URL: 'nats://one:4222', RELAY_DEMO: 'true' }).demo).toBe(true);
    expect(loadConfig({ RELAY_DEMO: 'false' }).demo).toBe(false);
  });

  it('names every variable that is wrong, one line each', () => {
    const environment = {
      RELAY_PORT: '0x50',
      RELAY_PUBLIC_URL: 'relay.example',
      RELAY_LOG_LEVEL: 'loud',
      RELAY_PROT: '80',
    };
    expect(problemsOf(() => loadConfig(environment))).toEqual([
      'RELAY_PROT is not a setting (docs/settings.md lists them all)',
      'RELAY_PORT must be a whole number from 0 to 65535',
      'RELAY_PUBLIC_URL must be an http:// or https:// URL',
      'RELAY_LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    ]);
  });

  it.each([
    ['true', ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12']],
    ['10.0.0.0/8, fd00::/8,192.168.1.7', ['10.0.0.0/8', 'fd00::/8', '192.168.1.7']],
    ['false', []],
  ])('reads the private targets %j', (value, networks) => {
    const { allowPrivateTargets } = loadConfig({ RELAY_ALLOW_PRIVATE_TARGETS: value });
    expect(allowPrivateTargets?.slice(0, 3)).toEqual(networks);
  });

  it.each(['all', '10.0.0.0/33', '10.0.0/8', '::1/129', '10.0.0.0/8,', '10.0.0.0/-1', '1/2/3'])(
    'does not take %j for networks',
    (value) => {
      expect(problemsOf(() => loadConfig({ RELAY_ALLOW_PRIVATE_TARGETS: value }))).toEqual([
        'RELAY_ALLOW_PRIVATE_TARGETS must be true, false, or networks such as 10.0.0.0/8 with commas between them',
      ]);
    },
  );

  it('reads keys for secrets, which it does not show', () => {
    const [first, second] = ['a', 'b'].map((letter) => Buffer.alloc(32, letter).toString('base64'));
    const { secretKey } = loadConfig({ RELAY_SECRET_KEY: `${first}, ${second}` });
    expect(secretKey?.map(({ key }) => key.export().toString())).toEqual([
      'a'.repeat(32),
      'b'.repeat(32),
    ]);
    expect(JSON.stringify(secretKey)).not.toContain(first);
  });

  it.each(['', 'short', 'x'.repeat(44), `${'A'.repeat(43)}=,`])(
    'does not take %j for a key',
    (value) => {
      expect(problemsOf(() => loadConfig({ RELAY_SECRET_KEY: `${value},` }))).toEqual([
        'RELAY_SECRET_KEY must be the base64 of 32 bytes, or several of them with commas between them',
      ]);
    },
  );

  const signingKey = (type: 'ed25519' | 'ed448' | 'P-256' | 'P-384') => {
    const { privateKey } =
      type === 'P-256' || type === 'P-384'
        ? generateKeyPairSync('ec', { namedCurve: type })
        : type === 'ed448'
          ? generateKeyPairSync(type)
          : generateKeyPairSync(type);
    return privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  };
  const RELAY_PUBLIC_URL = 'https://relay.example';

  it('reads keys that sign cards, which it does not show', () => {
    const keys = [signingKey('ed25519'), signingKey('P-256')];
    const environment = { RELAY_CARD_SIGNING_KEY: keys.join(', '), RELAY_PUBLIC_URL };
    const { cardSigningKey } = loadConfig(environment);
    expect(cardSigningKey?.map(({ asymmetricKeyType }) => asymmetricKeyType)).toEqual([
      'ed25519',
      'ec',
    ]);
    for (const shown of [JSON.stringify(cardSigningKey), inspect(cardSigningKey)]) {
      for (const key of keys) expect(shown).not.toContain(key.slice(-40));
    }
  });

  it.each([',', 'short', signingKey('ed448'), signingKey('P-384'), `${signingKey('P-256')},`])(
    'does not take %j for a key that signs cards',
    (RELAY_CARD_SIGNING_KEY) => {
      expect(problemsOf(() => loadConfig({ RELAY_CARD_SIGNING_KEY, RELAY_PUBLIC_URL }))).toEqual([
        'RELAY_CARD_SIGNING_KEY must be the base64 of a private key of Ed25519 or P-256 in PKCS #8, or several of them with commas between them',
      ]);
    },
  );

  it('signs cards only where it is told the origin that they name', () => {
    const RELAY_CARD_SIGNING_KEY = signingKey('ed25519');
    expect(problemsOf(() => loadConfig({ RELAY_CARD_SIGNING_KEY }))).toEqual([
      'RELAY_PUBLIC_URL is required',
    ]);
  });

  it('never repeats a value, which may be a secret', () => {
    expect(problemsOf(() => loadConfig({ RELAY_ADMIN_TOKEN: 'two words' }))).toEqual([
      'RELAY_ADMIN_TOKEN must be printable ASCII characters without spaces',
    ]);
  });
});

describe('a setting from a file', () => {
  const directory = mkdtempSync(join(tmpdir(), 'relay-settings-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  const file = (name: string, text: string) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };

  it('is read without the line break at its end', () => {
    const config = loadConfig({
      RELAY_ADMIN_TOKEN_FILE: file('token', 'token-of-the-admin\n'),
      RELAY_NATS_URL_FILE: file('nats', 'nats://user:password@one:4222\r\n'),
      RELAY_REDIS_URL_FILE: '',
    });
    expect(config).toMatchObject({
      adminToken: 'token-of-the-admin',
      natsUrl: 'nats://user:password@one:4222',
    });
    expect(config.redisUrl).toBeUndefined();
  });

  it('is judged as the variable would be, and its content never told', () => {
    const path = file('words', 'two words');
    expect(problemsOf(() => loadConfig({ RELAY_ADMIN_TOKEN_FILE: path }))).toEqual([
      'RELAY_ADMIN_TOKEN must be printable ASCII characters without spaces',
    ]);
  });

  it('must be there, hold something, and not be given twice', () => {
    const environment = {
      RELAY_ADMIN_TOKEN_FILE: join(directory, 'absent'),
      RELAY_SECRET_KEY_FILE: file('empty', '\n'),
      RELAY_NATS_URL: 'nats://one:4222',
      RELAY_NATS_URL_FILE: file('other', 'nats://two:4222'),
    };
    expect(problemsOf(() => loadConfig(environment))).toEqual([
      'RELAY_NATS_URL_FILE and RELAY_NATS_URL are both set',
      'RELAY_ADMIN_TOKEN_FILE names a file that cannot be read: ENOENT',
      'RELAY_SECRET_KEY_FILE names an empty file',
    ]);
  });

  it('is only for what may be a secret', () => {
    expect(problemsOf(() => loadConfig({ RELAY_PORT_FILE: file('port', '80') }))).toEqual([
      'RELAY_PORT_FILE is not a setting (docs/settings.md lists them all)',
    ]);
  });
});

describe('requireSettings', () => {
  it('narrows to the settings that are there', () => {
    const config = loadConfig({ RELAY_NATS_URL: 'nats://one:4222' });
    const url: string = requireSettings(config, ['natsUrl']).natsUrl;
    expect(url).toBe('nats://one:4222');
  });

  it('names each one that is missing', () => {
    const config = loadConfig({ RELAY_NATS_URL: 'nats://one:4222' });
    expect(
      problemsOf(() => requireSettings(config, ['natsUrl', 'redisUrl', 'adminToken'])),
    ).toEqual(['RELAY_REDIS_URL is required', 'RELAY_ADMIN_TOKEN is required']);
  });
});
