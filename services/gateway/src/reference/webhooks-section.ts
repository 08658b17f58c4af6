import { renderTable } from './tables.ts';

/** What `docs/events.md` says of webhooks. */
export const webhooks = `## By webhook instead

\`POST /v1/webhook-subscriptions\` names an https endpoint and the types that it wants. The first subscription
of an agent ends its WebSockets; when the last one is deleted, what was not delivered goes on over them. The
body of each POST is one event as below, and these are its headers, beside those that the subscription names:

${renderTable(
  ['Header', 'Holds'],
  [
    ['`webhook-id`', "the event's `event_id`, the same on every try"],
    ['`webhook-timestamp`', 'when this try was made, in seconds since 1970'],
    ['`webhook-signature`', 'one or more signatures, with spaces between them'],
    ['`relay-task-revision`', 'how many changes the task had seen then'],
    ['`relay-test`', '`true` on an event that `POST …/test` made up'],
  ],
)}

- **Signatures** are those of the Standard Webhooks specification, which has libraries for
  most languages: \`v1,\` and the base64 of the HMAC-SHA256 of id, timestamp and body with dots between them.
  The key is the base64 after \`whsec_\` in the signing secret, which is shown once. Refuse what has no good
  signature, or a timestamp more than five minutes off. For 24 hours after \`POST …/rotate-secret\` the old
  secret signs, too.
- **Answers.** Answer 2xx when the event is kept safely, within 10 seconds. 429, 5xx and no answer are tried
  again, by the schedule of the relay and no sooner than \`Retry-After\` says. Any other answer is final: the
  event is given up, and 410 turns the subscription off besides.
- **What did not arrive** is at \`GET /v1/webhook-deliveries\` for 30 days, with the last attempts, and
  \`POST …/redrive\` sends it again. Events for a subscription that is off are held there.
- **Order.** Events of one task come one after the other. An event may come twice.
- **Challenge.** Some relays save an endpoint only if it answers a signed POST of
  \`{"type": "challenge", "challenge": "…"}\` with the same challenge, as JSON or as plain text.`;
