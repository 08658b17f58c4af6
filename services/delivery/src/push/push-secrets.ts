import type { PushConfigInput, TaskId } from '@relay/protocol';
import { type Sealed, type SealedPlace, type Sealer, Secret } from '@relay/runtime';
import type { PushConfigEntry, PushConfigRecord } from './push-config-record.ts';

type Field = 'credentials' | 'token';

const place = (taskId: TaskId, number: number, field: Field) => ({
  record: taskId,
  field: `push.${number}.${field}`,
});

/** What opens the receiver's door, sealed for the config with that number. */
export function sealPushSecrets(
  sealer: Sealer,
  { taskId, number }: { readonly taskId: TaskId; readonly number: number },
  { token, authentication }: PushConfigInput,
): Pick<PushConfigEntry, Field> {
  const seal = (field: Field, text: string | undefined) =>
    text === undefined ? null : sealer.seal(new Secret(text), place(taskId, number, field));
  return {
    credentials: seal('credentials', authentication?.credentials),
    token: seal('token', token),
  };
}

/** The configs of a task with each of their secrets as `rewrap` gives it. */
export function rewrapPushConfigs(
  record: PushConfigRecord,
  taskId: TaskId,
  rewrap: (sealed: Sealed, place: SealedPlace) => Sealed,
): PushConfigRecord {
  const configs = record.configs.map((config) => {
    const anew = (field: Field) =>
      config[field] && rewrap(config[field], place(taskId, config.number, field));
    return { ...config, credentials: anew('credentials'), token: anew('token') };
  });
  return { ...record, configs };
}

export interface OpenedPush {
  readonly headers: Readonly<Record<string, string>>;
  /** What an answer that repeats it must not show. */
  readonly hidden: readonly string[];
}

/**
 * The headers by which a receiver knows its config (A2A 1.0 §4.3.3).
 * @throws SealError
 */
export function pushHeaders(
  sealer: Sealer,
  taskId: TaskId,
  { number, scheme, credentials, token }: PushConfigEntry,
): OpenedPush {
  const open = (field: Field, sealed: PushConfigEntry[Field]) =>
    sealed ? sealer.open(sealed, place(taskId, number, field)).reveal() : '';
  const opened = { credentials: open('credentials', credentials), token: open('token', token) };
  return {
    headers: {
      ...(scheme && opened.credentials ? { authorization: `${scheme} ${opened.credentials}` } : {}),
      ...(opened.token ? { 'x-a2a-notification-token': opened.token } : {}),
    },
    hidden: Object.values(opened),
  };
}
