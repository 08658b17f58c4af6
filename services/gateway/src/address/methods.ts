import {
  type MethodDecoder,
  methodsV1,
  methodsV01,
  methodsV03,
  type NamedTaskDecoder,
  RelayError,
} from '@relay/protocol';

/** How a method of the JSON-RPC binding is read. */
export interface Method {
  readonly decode?: MethodDecoder | undefined;
  /** Where 0.1 has it: there the client names the tasks. */
  readonly decodeNamed?: NamedTaskDecoder | undefined;
  /** Whether its clients read a refusal only from a stream. */
  readonly refusesInStream: boolean;
}

const current = new Map<string, MethodDecoder>(Object.entries(methodsV1));
const older = new Map<string, MethodDecoder>(Object.entries(methodsV03));
const named = new Map<string, NamedTaskDecoder>(Object.entries(methodsV01));

/** Streaming methods of before 1.0. */
const streaming: ReadonlySet<string> = new Set<keyof typeof methodsV03 | keyof typeof methodsV01>([
  'message/stream',
  'tasks/sendSubscribe',
  'tasks/resubscribe',
]);

/**
 * A method by its name, which tells its version: names of 1.0 are known whatever version was asked for,
 * older ones only where that was not 1.0.
 * @throws RelayError methodNotFound
 */
export function findMethod(name: string, version: '1.0' | '0.3'): Method {
  const decode = current.get(name);
  if (decode) return { decode, refusesInStream: false };
  const method = { decode: older.get(name), decodeNamed: named.get(name) };
  if (version === '1.0' || !(method.decode ?? method.decodeNamed)) {
    throw new RelayError('methodNotFound');
  }
  return { ...method, refusesInStream: streaming.has(name) };
}
