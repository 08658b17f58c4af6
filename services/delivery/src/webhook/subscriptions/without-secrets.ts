import type { Endpoint } from './endpoint.ts';

/** Shorter ones stand in many an answer by chance. */
const shortestHidden = 6;
/** Until all is hidden: no character of text, so no other secret is found in it. */
const mark = '\uFFFF';

/** What goes out with a request to an endpoint, or signs it, and is never shown again. */
export function secretsOf({ headers, signingSecrets }: Omit<Endpoint, 'url'>): string[] {
  return [...Object.values(headers).flatMap(valueAndCredentials), ...signingSecrets];
}

/** A receiver may repeat what it was sent, in JSON too, and of an answer only the beginning is there. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, inJson(secret)])
    .filter(({ length }) => length >= shortestHidden)
    .toSorted((one, other) => other.length - one.length)
    .reduce((shown, secret) => withoutBeginning(shown.replaceAll(secret, mark), secret), text)
    .replaceAll(mark, '[hidden]');
}

/** Most tell only of the credentials that they do not take, without their scheme. */
function valueAndCredentials(value: string): string[] {
  const trimmed = value.trim();
  return [trimmed, trimmed.replace(/^\S+\s+/, '')];
}

function inJson(secret: string): string {
  return JSON.stringify(secret).slice(1, -1);
}

/** Where a text ends within a secret. */
function withoutBeginning(text: string, secret: string): string {
  for (let length = secret.length - 1; length >= shortestHidden; length -= 1) {
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + mark;
  }
  return text;
}
