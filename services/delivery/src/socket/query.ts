import { type EventType, eventTypes, RelayError } from '@relay/protocol';
import type { AcceptedTypes } from '../feed/feed-record.ts';

const maximumNames = 64;

/**
 * The event types that a connection names; names that Relay does not know are passed over.
 * @throws RelayError invalidParams
 */
export function readAcceptedTypes(query: string): AcceptedTypes {
  const parameters = new URLSearchParams(query);
  const unknown = [...parameters.keys()].find((key) => key !== 'subscribed_events');
  if (unknown !== undefined) throw invalidQuery(`There is no query parameter ${unknown}.`);
  const names = parameters.getAll('subscribed_events');
  if (names.length > maximumNames) {
    throw invalidQuery(`subscribed_events can be given ${maximumNames} times.`);
  }
  if (names.length === 0) return undefined;
  return new Set<EventType>(eventTypes.filter((type) => names.includes(type)));
}

function invalidQuery(message: string): RelayError {
  return new RelayError({ error: 'invalidParams', message });
}
