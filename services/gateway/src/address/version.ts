import { RelayError } from '@relay/protocol';

const versionPattern = /^(1\.0|0\.3)(?:\.\d+)?$/;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Whether a request asks for A2A 1.0 by name. */
export function asksForCurrent(headers: Headers, query: unknown): boolean {
  return askedVersion(headers, query) === '1.0';
}

/**
 * The A2A version that a request asks for (A2A 1.0 §3.6): by header, else by query; none means 0.3. Patch
 * numbers are ignored.
 * @throws RelayError versionNotSupported
 */
export function readVersion(headers: Headers, query: unknown): '1.0' | '0.3' {
  const version = askedVersion(headers, query);
  if (version === undefined) {
    throw new RelayError({
      error: 'versionNotSupported',
      message: 'This A2A version is not supported: it is 1.0 or 0.3.',
    });
  }
  return version;
}

/** Undefined where that is none that Relay speaks. */
function askedVersion(headers: Headers, query: unknown): '1.0' | '0.3' | undefined {
  const asked = headers['a2a-version'] || queryVersion(query) || '0.3';
  const version = typeof asked === 'string' ? versionPattern.exec(asked.trim())?.[1] : undefined;
  return version === '1.0' || version === '0.3' ? version : undefined;
}

function queryVersion(query: unknown): unknown {
  return typeof query === 'object' && query !== null && 'A2A-Version' in query
    ? query['A2A-Version']
    : undefined;
}
