import { z } from 'zod';
import {
  natsUrl,
  networks,
  oneOf,
  redisUrl,
  seconds,
  secondsList,
  secretKeys,
  signingKeys,
  text,
  toggle,
  token,
  webUrl,
  wholeNumber,
} from './setting-kinds.ts';

const MEBIBYTE = 1024 * 1024;

/** Every setting of Relay. The key `publicUrl` is read from `RELAY_PUBLIC_URL`, and so on. */
export const settings = z.strictObject({
  host: text()
    .default('127.0.0.1')
    .describe('Address to listen on. Anything beyond loopback is reachable by others.'),
  port: wholeNumber(0, 65_535)
    .default(8080)
    .describe('Port to listen on; 0 picks a free one. Delivery alone: 8081, task-manager: 8082.'),
  publicUrl: webUrl()
    .optional()
    .describe('Origin that clients use, written into agent cards. Unset: taken from each request.'),
  trustProxy: toggle()
    .default(false)
    .describe('Believe the `X-Forwarded-*` headers. Only behind a proxy that sets them.'),
  dataDir: text()
    .default('.relay')
    .describe('Directory of the embedded servers and of `credentials.json`.'),
  natsUrl: natsUrl()
    .optional()
    .describe('NATS to use, several URLs with commas. Unset: standalone starts its own.'),
  redisUrl: redisUrl()
    .optional()
    .describe(
      'Redis to use: a URL or the path of a Unix socket. Unset: standalone starts its own.',
    ),
  deliveryUrl: webUrl()
    .optional()
    .describe('Where a gateway that runs alone passes WebSocket upgrades to.'),
  adminToken: token()
    .optional()
    .describe('Token of the administrator. Unset: standalone makes one in `credentials.json`.'),
  secretKey: secretKeys()
    .optional()
    .describe(
      'Base64 of 32 random bytes (`openssl rand -base64 32`) that seals the secrets Relay must read again; several with commas: the first seals, each opens. Unset: standalone makes one in `secret.key`.',
    ),
  cardSigningKey: signingKeys()
    .optional()
    .describe(
      'Base64 of a private key of Ed25519 or P-256 (`openssl genpkey -algorithm ed25519 -outform DER`) that signs agent cards; several with commas: the first signs, `/.well-known/jwks.json` has the public half of each. `RELAY_PUBLIC_URL` must be set too. Unset: cards are not signed.',
    ),
  allowPrivateTargets: networks()
    .optional()
    .describe(
      'Networks that webhooks may reach although they are not public, there by plain http too: addresses and CIDRs with commas, or `true` for loopback and private networks. A metadata address of a cloud must be listed by itself. Unset: none.',
    ),
  webhookChallenge: toggle()
    .default(false)
    .describe(
      'Save the URL of a webhook only if it sends back a challenge: a signed POST of `{"type": "challenge", "challenge": …}` that is answered 2xx with `{"challenge": …}`.',
    ),
  webhookRetrySeconds: secondsList(0, 604_800)
    .default([2, 4, 8, 16, 32, 64, 128, 256, 512, 600])
    .describe(
      'Pauses before each further try to deliver a webhook, each ±20 %. For ten attempts over 75 hours: `5,300,1800,7200,18000,36000,50400,72000,86400`.',
    ),
  webhookTimeoutSeconds: seconds(0.05, 60)
    .default(10)
    .describe('How long a webhook may take to answer.'),
  demo: toggle()
    .optional()
    .describe('Register and run the demo agents. Unset: on when NATS is embedded.'),
  sendWaitSeconds: seconds(0, 3_600)
    .default(60)
    .describe('How long a blocking send waits before it answers with the task as it stands.'),
  streamSeconds: seconds(1, 86_400).default(600).describe('How long an event stream stays open.'),
  keepaliveSeconds: seconds(0.1, 3_600)
    .default(4)
    .describe('Pause between keep-alive comments on an event stream.'),
  retentionDays: wholeNumber(1, 36_500)
    .default(30)
    .describe(
      'Days that a final task is kept. Events, and deliveries that failed, are kept 30 days.',
    ),
  drainSeconds: seconds(0, 600)
    .default(10)
    .describe('Longest time for work in flight to end when Relay is stopped.'),
  connectionLimit: wholeNumber(1, 1_000_000)
    .default(20_000)
    .describe(
      'Connections that one gateway answers at once, WebSockets among them. The system must let it open as many files.',
    ),
  requestLimit: wholeNumber(1, 1_000_000)
    .default(2_000)
    .describe('Requests that one gateway works on at once, beside those that wait.'),
  waitLimit: wholeNumber(1, 1_000_000)
    .default(10_000)
    .describe('Calls that wait in one gateway at once: for an answer, or on an event stream.'),
  socketLimit: wholeNumber(1, 1_000_000)
    .default(15_000)
    .describe('WebSockets that one delivery holds open at once.'),
  bodyLimitBytes: wholeNumber(1_024, 64 * MEBIBYTE)
    .default(8 * MEBIBYTE)
    .describe('Largest request body.'),
  taskLimitBytes: wholeNumber(1_024, 7 * MEBIBYTE)
    .default(4 * MEBIBYTE)
    .describe('Largest content of one task.'),
  chatMessageRate: wholeNumber(1, 10_000)
    .default(10)
    .describe('Messages that one agent may send to one chat within 10 seconds.'),
  messageRate: wholeNumber(1, 10_000)
    .default(300)
    .describe('Messages that one agent may send to all its chats within 10 seconds.'),
  taskMessageRate: wholeNumber(1, 10_000)
    .optional()
    .describe(
      'Messages that one agent may send on tasks within 10 seconds, new ones and follow-ups. Unset: any number.',
    ),
  loopCap: wholeNumber(2, 10_000)
    .optional()
    .describe(
      'Messages that two agents may send each other in turn within a minute, in their chat and on tasks. Unset: any number.',
    ),
  natsReplicas: wholeNumber(1, 5)
    .default(1)
    .describe('Copies that a NATS cluster keeps of each stream; above 1 it needs NATS 2.11.'),
  a2aAuthErrors: oneOf(['401', '200'])
    .transform((status) => (status === '401' ? 401 : 200))
    .default(401)
    .describe('HTTP status of authentication failures at an A2A address.'),
  a2aPush: toggle()
    .default(true)
    .describe('Take A2A push notification configs, and send what they ask for.'),
  otlpUrl: webUrl()
    .optional()
    .describe(
      'OpenTelemetry collector that traces are sent to by OTLP over HTTP, such as `http://collector:4318`. Unset: none.',
    ),
  logLevel: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Least severe log line written.'),
});

export type SettingName = keyof typeof settings.shape;

/** Settings that are secrets or may hold one: each may also be given as a file, by `RELAY_…_FILE`. */
export const fileSettings: readonly SettingName[] = [
  'natsUrl',
  'redisUrl',
  'adminToken',
  'secretKey',
  'cardSigningKey',
];

/** `sendWaitSeconds` is read from `RELAY_SEND_WAIT_SECONDS`. */
export function environmentName(setting: string): string {
  return `RELAY_${setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** `adminToken` may be read from the file that `RELAY_ADMIN_TOKEN_FILE` names. */
export function fileVariable(setting: string): string {
  return `${environmentName(setting)}_FILE`;
}
