import type { Deliveries } from '@relay/bus';
import type { DeliveryCommand, DeliveryOperation } from '@relay/domain';
import type { Outbound } from '@relay/outbound';
import { RelayError, type RotatedSecret, timestampAt } from '@relay/protocol';
import type { Sealer } from '@relay/runtime';
import type { Handlers } from '../../delivery-handler.ts';
import { openedOrNone } from '../opened-endpoint.ts';
import type { SubscriptionRecord } from '../subscription.ts';
import { challengeEndpoint } from './challenge.ts';
import { type Endpoint, sealHeaders, sealSigningSecret } from './endpoint.ts';
import { rotateSecret } from './secret-rotation.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import { toSubscription } from './subscription-view.ts';
import { tryEndpoint } from './try-endpoint.ts';

const maximumSubscriptions = 50;

const unreadable = new RelayError({
  error: 'targetRefused',
  message:
    'The challenge cannot be signed, as no key of RELAY_SECRET_KEY opens the secrets of the subscription. Rotate its signing secret and name its headers anew before.',
});

export type SubscriptionOperation = Extract<
  DeliveryOperation,
  | 'list-subscriptions'
  | 'get-subscription'
  | 'create-subscription'
  | 'change-subscription'
  | 'delete-subscription'
  | 'delete-all-subscriptions'
  | 'rotate-secret'
  | 'test-subscription'
>;

export interface SubscriptionContext {
  readonly store: SubscriptionStore;
  readonly deliveries: Pick<Deliveries, 'forgetAllOf'>;
  readonly outbound: Outbound;
  readonly sealer: Sealer;
  /** Whether an endpoint must answer a challenge before it is saved. */
  readonly mustAnswerChallenge: boolean;
  /** How long one attempt may take. */
  readonly timeoutMilliseconds: number;
}

type Create = DeliveryCommand<'create-subscription'>;
type Change = DeliveryCommand<'change-subscription'>;

/** Executes what agents ask of their webhook subscriptions. Each may be asked again with the same ids. */
export function subscriptionHandlers(
  context: SubscriptionContext,
): Handlers<SubscriptionOperation> {
  const { store, deliveries, sealer, outbound, timeoutMilliseconds } = context;
  return {
    'list-subscriptions': async ({ agentId }) => (await store.list(agentId)).map(toSubscription),
    'get-subscription': async (command) => toSubscription(await store.require(command)),
    'create-subscription': async (command, deadline) => {
      if (!(await store.find(command))) await create(context, command, deadline);
      const subscription = toSubscription(await store.require(command));
      return { ...subscription, signing_secret: command.signingSecret };
    },
    'change-subscription': async (command, deadline) =>
      toSubscription(await change(context, command, deadline)),
    'delete-subscription': async (command, deadline) => {
      await store.remove(command, deadline);
      return null;
    },
    'delete-all-subscriptions': async ({ agentId }, deadline) => {
      await store.removeAll(agentId, deadline);
      await deliveries.forgetAllOf(agentId);
      return null;
    },
    'rotate-secret': async (command, deadline) => {
      const rotated = await store.change(command, deadline, (subscription) =>
        rotateSecret(subscription, command, sealer),
      );
      return toRotatedSecret(command.signingSecret, rotated);
    },
    'test-subscription': async (command, deadline) => {
      const subscription = await store.require(command);
      const endpoint = openedOrNone(subscription, sealer);
      return tryEndpoint(outbound, {
        ...command,
        endpoint,
        subscription,
        deadline,
        timeoutMilliseconds,
      });
    },
  };
}

async function create(context: SubscriptionContext, command: Create, deadline: number) {
  const { store, sealer } = context;
  const { agentId, subscriptionId: id, signingSecret, headers, subscribedEvents, at } = command;
  const targetUrl = await admit(context, command.targetUrl, () => ({
    headers,
    signingSecrets: [signingSecret],
  }));
  const subscription: SubscriptionRecord = {
    id,
    targetUrl,
    subscribedEvents: [...new Set(subscribedEvents)],
    isActive: true,
    secrets: [{ sealed: sealSigningSecret(sealer, id, signingSecret), expiresAt: null }],
    headers: sealHeaders(sealer, id, headers),
    createdAt: at,
    updatedAt: at,
  };
  await store.add(agentId, subscription, { deadline, maximum: maximumSubscriptions });
}

async function change(context: SubscriptionContext, command: Change, deadline: number) {
  const { store, sealer } = context;
  const { subscriptionId: id, headers, subscribedEvents, isActive, at } = command;
  const before = await store.require(command);
  const targetUrl = await admitChange(context, before, command);
  return store.change(command, deadline, (subscription) => ({
    ...subscription,
    ...(targetUrl === undefined ? {} : { targetUrl }),
    ...(subscribedEvents ? { subscribedEvents: [...new Set(subscribedEvents)] } : {}),
    ...(isActive === undefined ? {} : { isActive }),
    ...(headers ? { headers: sealHeaders(sealer, id, headers) } : {}),
    updatedAt: at,
  }));
}

/**
 * @returns the new URL, where there is one, in its canonical form. Another URL must prove itself anew.
 * @throws RelayError targetRefused
 */
async function admitChange(
  context: SubscriptionContext,
  before: SubscriptionRecord,
  { targetUrl, headers }: Change,
): Promise<string | undefined> {
  if (targetUrl === undefined || targetUrl === before.targetUrl) return targetUrl;
  return admit(context, targetUrl, () => {
    const endpoint = openedOrNone(before, context.sealer);
    if (!endpoint) throw unreadable;
    return { ...endpoint, headers: headers ?? endpoint.headers };
  });
}

/**
 * Judges an endpoint that is about to be saved.
 * @param open gives what the challenge goes out with
 * @returns its URL in its canonical form
 * @throws RelayError targetRefused
 */
async function admit(
  { outbound, mustAnswerChallenge }: SubscriptionContext,
  targetUrl: string,
  open: () => Omit<Endpoint, 'url'>,
): Promise<string> {
  const url = await outbound.checkTarget(targetUrl);
  if (mustAnswerChallenge) await challengeEndpoint(outbound, { ...open(), url });
  return url;
}

function toRotatedSecret(
  signingSecret: string,
  { secrets: [, previous], updatedAt }: SubscriptionRecord,
): RotatedSecret {
  const previousExpiresAt = previous?.expiresAt ?? timestampAt(Date.parse(updatedAt));
  return { signing_secret: signingSecret, previous_expires_at: previousExpiresAt };
}
