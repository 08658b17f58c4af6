import { type EventType, eventTypes, RelayError } from '@relay/protocol';
import type { AcceptedTypes } from '../feed/feed-record.ts';

const maximumNames = 64;

/** What a client asks for with its upgrade. */
export interface ConnectionWishes {
  readonly accepts: AcceptedTypes;
  /** It only watches. */
  readonly isObserver: boolean;
}

/**
 * Names of event types that Relay does not know are passed over.
 * @throws RelayError invalidParams
 */
export function readQuery(query: string): ConnectionWishes {
  const parameters = new URLSearchParams(query);
  for (const [key, value] of parameters) {
    if (key === 'subscribed_events' || (key === 'observe' && value === 'true')) continue;
    throw invalidQuery(`There is no query parameter ${key}=${value}.`);
  }
  return { accepts: readAcceptedTypes(parameters), isObserver: parameters.has('observe') };
}

function readAcceptedTypes(parameters: URLSearchParams): AcceptedTypes {
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
