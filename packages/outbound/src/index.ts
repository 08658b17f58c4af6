export type { NetworkFailureCode } from './attempt-error.ts';
export type { Listener } from './guard.ts';
export {
  type Attempt,
  type AttemptLimits,
  createOutbound,
  type Outbound,
  type OutboundOptions,
} from './outbound.ts';
export type {
  Answer,
  AttemptFailure,
  AttemptOutcome,
  Delivered,
  Rejected,
  RetryLater,
} from './outcome.ts';
export { RefusedTarget, type TargetRule } from './refused-target.ts';
export type { ResolveAddresses } from './resolve.ts';
export {
  createSigningSecret,
  signWebhook,
  type WebhookHeaders,
  type WebhookMessage,
} from './webhook-signature.ts';
