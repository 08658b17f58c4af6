import { isReserved } from '../root-paths.ts';

/**
 * How a caller wants to hear of errors: as A2A's JSON-RPC or HTTP+JSON at an agent's address and below it,
 * as Relay's REST elsewhere.
 */
export type CallerForm = 'json-rpc' | 'http-json' | 'http-json-v03' | 'rest';

const addressPattern = /^\/(?:a2a\/)?([^/]+)(?:\/(.*))?$/;
const httpJsonPattern = /^(?:message:|tasks(?:\/|$)|extendedAgentCard\/?$)/;
const httpJsonV03Pattern = /^v1\/(?:message:|tasks(?:\/|$)|card\/?$)/;

/** Reads of an address are of its card and page: those answer errors as REST. */
export function callerForm(method: string, url: string): CallerForm {
  const [path = ''] = url.split('?', 1);
  const [, handle, below = ''] = addressPattern.exec(path) ?? [];
  if (handle === undefined || isReserved(handle)) return 'rest';
  const isRead = method === 'GET' || method === 'HEAD';
  if (below === '') return isRead ? 'rest' : 'json-rpc';
  return formBelow(below);
}

function formBelow(path: string): CallerForm {
  if (httpJsonPattern.test(path)) return 'http-json';
  return httpJsonV03Pattern.test(path) ? 'http-json-v03' : 'rest';
}
