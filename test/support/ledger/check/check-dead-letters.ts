import type { WebhookRequest } from '../webhook-endpoint.ts';

/**
 * What was never accepted is a dead letter that can be seen, and nothing else is.
 * @param dead ids of the events that Relay says it gave up
 */
export function checkDeadLetters(
  mailbox: string,
  received: readonly WebhookRequest[],
  dead: ReadonlySet<string>,
): string[] {
  const came = new Set(received.map(({ eventId }) => eventId));
  const idsOf = (kind: WebhookRequest['answer']) =>
    new Set(received.filter(({ answer }) => answer === kind).map(({ eventId }) => eventId));
  const [accepted, rejected] = [idsOf('accepted'), idsOf('rejected')];
  const gone = [...came].filter((id) => !accepted.has(id) && !dead.has(id));
  const unfounded = [...dead].filter((id) => !rejected.has(id));
  return [
    ...gone.map((id) => `${mailbox}: event ${id} was neither accepted nor given up`),
    ...unfounded.map((id) => `${mailbox}: event ${id} was given up and never rejected`),
  ];
}
