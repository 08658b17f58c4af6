import type { Subscription } from '@relay/protocol';
import type { SubscriptionRecord } from '../subscription.ts';

/** A subscription as its agent is shown it: without its secrets. */
export function toSubscription(record: SubscriptionRecord): Subscription {
  return {
    id: record.id,
    target_url: record.targetUrl,
    subscribed_events: record.subscribedEvents,
    is_active: record.isActive,
    header_names: Object.keys(record.headers),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}
