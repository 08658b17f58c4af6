import { isReserved } from '../root-paths.ts';

/** How a caller wants to hear of errors: as JSON-RPC at an A2A address, as Relay's REST elsewhere. */
export type CallerForm = 'json-rpc' | 'rest';

const addressPattern = /^\/(?:a2a\/)?([^/]+)\/?$/;

/** Reads of an address are of its card and page: those answer errors as REST. */
export function callerForm(method: string, url: string): CallerForm {
  if (method === 'GET' || method === 'HEAD') return 'rest';
  const [path = ''] = url.split('?', 1);
  const segment = addressPattern.exec(path)?.[1];
  return segment === undefined || isReserved(segment) ? 'rest' : 'json-rpc';
}
