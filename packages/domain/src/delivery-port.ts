import type {
  AgentId,
  DeliveriesPage,
  DeliveryAttempt,
  DeliveryStatus,
  EventType,
  NewSubscription,
  RedriveAnswer,
  Refusal,
  RewrapAnswer,
  RotatedSecret,
  StuckMessageId,
  StuckPage,
  StuckRedriveAnswer,
  Subscription,
  SubscriptionId,
  Timestamp,
  WebhookDelivery,
  WebhookDeliveryId,
} from '@relay/protocol';
import type { PushOperations } from './push-port.ts';

export interface DeliveryFilter {
  readonly status: DeliveryStatus | undefined;
  readonly subscriptionId: SubscriptionId | undefined;
  readonly eventType: EventType | undefined;
  /** RFC 3339, at any offset. */
  readonly createdAfter: string | undefined;
  readonly createdBefore: string | undefined;
}

/** What can be asked of delivery, and what it answers: about one agent's webhooks, or by the administrator. */
export interface DeliveryOperations extends PushOperations {
  'list-subscriptions': { readonly input: OfAgent; readonly result: readonly Subscription[] };
  'get-subscription': { readonly input: OfSubscription; readonly result: Subscription };
  /** Id and secret are made by whoever asks, so that asking again makes no second one. */
  'create-subscription': {
    readonly input: OfSubscription & {
      readonly targetUrl: string;
      readonly subscribedEvents: readonly EventType[];
      readonly headers: Readonly<Record<string, string>>;
      readonly signingSecret: string;
    };
    readonly result: NewSubscription;
  };
  'change-subscription': {
    readonly input: OfSubscription & {
      readonly targetUrl?: string | undefined;
      readonly subscribedEvents?: readonly EventType[] | undefined;
      readonly isActive?: boolean | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    };
    readonly result: Subscription;
  };
  'delete-subscription': { readonly input: OfSubscription; readonly result: null };
  /** Of an agent that is deleted: nothing is sent for it any more, and nothing is kept. */
  'delete-all-subscriptions': { readonly input: OfAgent; readonly result: null };
  'rotate-secret': {
    readonly input: OfSubscription & { readonly signingSecret: string };
    readonly result: RotatedSecret;
  };
  /** Sends one made-up event at once, and tells what came of it. */
  'test-subscription': { readonly input: OfSubscription; readonly result: DeliveryAttempt };
  'list-deliveries': {
    readonly input: OfAgent & {
      readonly filter: DeliveryFilter;
      readonly pageSize: number;
      readonly pageToken: string | undefined;
    };
    readonly result: DeliveriesPage;
  };
  'get-delivery': { readonly input: OfDelivery; readonly result: WebhookDelivery };
  'redrive-delivery': { readonly input: OfDelivery; readonly result: WebhookDelivery };
  'redrive-deliveries': {
    readonly input: OfAgent & {
      readonly filter: DeliveryFilter;
      readonly isDryRun: boolean;
      readonly perSecond: number;
    };
    readonly result: RedriveAnswer;
  };
  'list-stuck': {
    readonly input: { readonly pageSize: number; readonly pageToken: string | undefined };
    readonly result: StuckPage;
  };
  /** Processes again what was set aside. */
  'redrive-stuck': {
    readonly input: { readonly stuckId: StuckMessageId };
    readonly result: StuckRedriveAnswer;
  };
  /** Seals secrets anew with the newest key, as many as there is time for. */
  'rewrap-secrets': {
    readonly input: { readonly pageToken: string | undefined };
    readonly result: RewrapAnswer;
  };
}

interface OfAgent {
  readonly agentId: AgentId;
}

interface OfSubscription extends OfAgent {
  readonly subscriptionId: SubscriptionId;
}

interface OfDelivery extends OfAgent {
  readonly deliveryId: WebhookDeliveryId;
}

export type DeliveryOperation = keyof DeliveryOperations;

export type DeliveryCommand<Operation extends DeliveryOperation = DeliveryOperation> = {
  [Type in Operation]: {
    readonly type: Type;
    readonly at: Timestamp;
  } & DeliveryOperations[Type]['input'];
}[Operation];

export type DeliveryReply<Operation extends DeliveryOperation = DeliveryOperation> =
  | { readonly type: 'done'; readonly result: DeliveryOperations[Operation]['result'] }
  | { readonly type: 'refused'; readonly refusal: Refusal };

/** The way to delivery: a direct call in one process, NATS request-reply between processes. */
export interface DeliveryPort {
  /**
   * @param deadline milliseconds since the epoch; a command is not executed after it
   * @throws never for a refusal: that is a reply
   */
  execute<Operation extends DeliveryOperation>(
    command: DeliveryCommand<Operation>,
    deadline: number,
  ): Promise<DeliveryReply<Operation>>;
}
