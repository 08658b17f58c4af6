import { type JsonRpcId, jsonRpcText } from '@relay/protocol';
import { toRpcErrorBody } from '../../http/refusals.ts';
import { encodeEvent } from '../../streaming/event-stream.ts';
import type { Binding } from './binding.ts';

/** Results and errors of one JSON-RPC request, alike in every version. */
export function jsonRpcBinding(id: JsonRpcId): Binding {
  return {
    contentType: 'application/json; charset=utf-8',
    encodeResult: (result) => jsonRpcText(id, 'result', result),
    encodeLastError: (refusal) => encodeEvent(toRpcErrorBody(id, refusal)),
  };
}
