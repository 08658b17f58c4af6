import { toHttpJsonError, toJsonRpcError } from '@relay/protocol';
import type { A2aMediaType } from '../../http/media-types.ts';
import { encodeErrorEvent } from '../../streaming/event-stream.ts';
import type { Binding } from './binding.ts';

/** HTTP+JSON of A2A 1.0. */
export function httpJsonBinding(mediaType: A2aMediaType): Binding {
  return {
    contentType: mediaType,
    encodeResult: (result) => JSON.stringify(result),
    encodeLastError: (refusal) => encodeErrorEvent(JSON.stringify(toHttpJsonError(refusal))),
  };
}

/** HTTP+JSON of A2A 0.3: its errors are those of JSON-RPC, bare. */
export const httpJsonBindingV03: Binding = {
  contentType: 'application/json',
  encodeResult: (result) => JSON.stringify(result),
  encodeLastError: (refusal) => encodeErrorEvent(JSON.stringify(toJsonRpcError(refusal))),
};
