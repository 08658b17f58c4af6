import {
  type DeliveryCommand,
  derivePushConfigId,
  derivePushEndpointId,
  type PushOperations,
  type TaskSnapshot,
} from '@relay/domain';
import type { Outbound } from '@relay/outbound';
import { type PushConfig, type PushConfigPage, RelayError } from '@relay/protocol';
import type { Sealer } from '@relay/runtime';
import type { Handlers } from '../delivery-handler.ts';
import {
  inForce,
  type PushConfigEntry,
  type PushConfigRecord,
  toPushConfig,
  withConfig,
  withId,
} from './push-config-record.ts';
import type { PushConfigStore } from './push-config-store.ts';
import { sealPushSecrets } from './push-secrets.ts';
import type { PushSenders } from './push-senders.ts';

const maximumConfigs = 10;

export interface PushContext {
  readonly store: PushConfigStore;
  readonly senders: PushSenders;
  readonly outbound: Outbound;
  readonly sealer: Sealer;
}

type Set = DeliveryCommand<'set-push-config'>;

/** Executes what requesters ask of the push notification configs of their tasks. */
export function pushHandlers(context: PushContext): Handlers<keyof PushOperations> {
  const { store } = context;
  return {
    'set-push-config': (command, deadline) => setConfig(context, command, deadline),
    'get-push-config': async (command) => {
      const { taskId, configId } = command;
      const config = find(await store.list(command), configId, taskId);
      if (!config) throw noSuchConfig();
      return toPushConfig(taskId, config);
    },
    'list-push-configs': async (command) => toPage(await store.list(command), command),
    'delete-push-config': async (command, deadline) => {
      await store.change(command, deadline, ({ configs, ...record }) => ({
        ...record,
        configs: configs.filter(({ id }) => id !== command.configId),
      }));
      return null;
    },
    'withdraw-push-config': async (command, deadline) => {
      await store.change(command, deadline, (record, task) =>
        withoutMessage(record, task, command.messageId),
      );
      return null;
    },
  };
}

/** @throws RelayError targetRefused; conflict where the task has as many as it may */
async function setConfig(
  { store, senders, outbound, sealer }: PushContext,
  command: Set,
  deadline: number,
): Promise<PushConfig> {
  const { agentId, taskId, config, form, start, at } = command;
  const url = await outbound.checkTarget(config.url);
  await senders.add(agentId);
  const id = config.id ?? (form.version === '1.0' ? derivePushConfigId(url) : taskId);
  let made: PushConfigEntry | undefined;
  await store.change(command, deadline, (record, task) => {
    const known = withId(record, id);
    if (!known && new Set(record.configs.map((each) => each.id)).size >= maximumConfigs) {
      throw tooMany();
    }
    const number = known?.number ?? record.nextNumber;
    made = {
      number,
      id,
      endpointId: known?.endpointId ?? derivePushEndpointId(agentId, url),
      form,
      url,
      scheme: config.authentication?.scheme ?? null,
      ...sealPushSecrets(sealer, { taskId, number }, config),
      events: [...new Set(config.events)],
      start,
      updatedAt: at,
    };
    return withConfig(record, made, task);
  });
  if (!made) throw new Error('A config was not made');
  return toPushConfig(taskId, made);
}

/** Before 1.0 a config without an id has the task's; it is meant where none is named, or else the latest. */
function find(
  configs: readonly PushConfigEntry[],
  id: string | undefined,
  taskId: string,
): PushConfigEntry | undefined {
  const named = configs.find((config) => config.id === (id ?? taskId));
  if (named || id !== undefined) return named;
  return configs.toSorted((one, other) => (one.updatedAt < other.updatedAt ? -1 : 1)).at(-1);
}

/** @throws RelayError invalidParams for a token that names no config of the task */
function toPage(
  configs: readonly PushConfigEntry[],
  { taskId, pageSize, pageToken }: DeliveryCommand<'list-push-configs'>,
): PushConfigPage {
  const after =
    pageToken === undefined ? -1 : configs.findIndex(({ id }) => tokenOf(id) === pageToken);
  if (pageToken !== undefined && after < 0) {
    const message = 'The page token is not one of a list.';
    throw new RelayError({ error: 'invalidParams', message });
  }
  const end = after + 1 + (pageSize || configs.length);
  const page = configs.slice(after + 1, end);
  const last = page.at(-1);
  return {
    configs: page.map((config) => toPushConfig(taskId, config)),
    nextPageToken: last && end < configs.length ? tokenOf(last.id) : '',
  };
}

function tokenOf(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The message may have been taken in all the same, by somebody who sent it again. */
function withoutMessage(
  record: PushConfigRecord,
  task: TaskSnapshot | undefined,
  messageId: string,
): PushConfigRecord | undefined {
  const current = inForce(record, task);
  const configs = record.configs.filter(
    (config) =>
      current.includes(config) ||
      !('messageId' in config.start) ||
      config.start.messageId !== messageId,
  );
  return configs.length === record.configs.length ? undefined : { ...record, configs };
}

/** A2A has no error for it but that of the task. */
function noSuchConfig(): RelayError {
  const message = 'The task has no such push notification config.';
  return new RelayError({ error: 'taskNotFound', message });
}

function tooMany(): RelayError {
  const message = `A task has at most ${maximumConfigs} push notification configs. Delete one first.`;
  return new RelayError({ error: 'conflict', message });
}
