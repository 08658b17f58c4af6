/** Any JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** protobuf's own limit for nested messages; deeper JSON would overflow the stack when it is written again. */
export const maximumJsonDepth = 100;

export class JsonDepthError extends Error {
  override name = 'JsonDepthError';
}

/**
 * Parses JSON that came from outside.
 * @throws SyntaxError when it is not JSON, JsonDepthError when it nests deeper than {@link maximumJsonDepth}
 */
export function parseJson(text: string): Json {
  const value: Json = JSON.parse(text);
  refuseDepth(value);
  return value;
}

/** Level by level, not by recursion: the input may nest deeper than the stack reaches. */
function refuseDepth(root: Json): void {
  let level: Json[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maximumJsonDepth) {
      throw new JsonDepthError(`JSON nests deeper than ${maximumJsonDepth} levels`);
    }
    level = level.flatMap(childrenOf);
  }
}

function childrenOf(value: Json): Json[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [];
}

/** True for a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
