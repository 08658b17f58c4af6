import type { DeliveryKey, DeliveryRecord } from '@relay/bus';
import type { DeliveryFilter } from '@relay/domain';

/** Whether a delivery is one of those asked for. */
export function fits(
  { status, subscriptionId, eventType, createdAfter, createdBefore }: DeliveryFilter,
  key: DeliveryKey,
  record: DeliveryRecord,
): boolean {
  return (
    (status === undefined || record.status === status) &&
    (subscriptionId === undefined || key.subscriptionId === subscriptionId) &&
    (eventType === undefined || record.type === eventType) &&
    (createdAfter === undefined || record.createdAt > Date.parse(createdAfter)) &&
    (createdBefore === undefined || record.createdAt < Date.parse(createdBefore))
  );
}
