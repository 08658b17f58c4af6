import { randomBytes, randomUUID } from 'node:crypto';
import type { AttemptOutcome, Outbound } from '@relay/outbound';
import { isJsonObject, RelayError } from '@relay/protocol';
import { type Endpoint, signedHeaders } from './endpoint.ts';

const limits = { milliseconds: 5_000, answerBytes: 1_024 };

/**
 * Asks an endpoint to prove that it takes webhooks from this relay: it must answer 2xx with the
 * challenge, as JSON `{"challenge": …}` or as plain text.
 * @throws RelayError targetRefused when it does not
 */
export async function challengeEndpoint(outbound: Outbound, endpoint: Endpoint): Promise<void> {
  const challenge = randomBytes(24).toString('base64url');
  const webhook = { id: randomUUID(), body: JSON.stringify({ type: 'challenge', challenge }) };
  const headers = signedHeaders(endpoint, webhook, Date.now());
  const { url } = endpoint;
  const outcome = await outbound.post({ url, headers, body: webhook.body, limits });
  const problem = problemOf(outcome, challenge);
  if (problem === undefined) return;
  throw new RelayError({
    error: 'targetRefused',
    message: `The endpoint did not answer the challenge: ${problem}`,
  });
}

function problemOf(outcome: AttemptOutcome, challenge: string): string | undefined {
  if (outcome.kind !== 'delivered') return outcome.failure.detail;
  const text = outcome.answer.text.trim();
  if (text === challenge || readChallenge(text) === challenge) return undefined;
  return 'it must send back the challenge that it was sent.';
}

function readChallenge(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return isJsonObject(json) ? json['challenge'] : undefined;
  } catch {
    return undefined;
  }
}
