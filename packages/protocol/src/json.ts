/** protobuf's own limit for nested messages; deeper JSON would overflow the stack when it is written again. */
export const maximumJsonDepth = 100;

export class JsonDepthError extends Error {
  override name = 'JsonDepthError';
}

/**
 * Parses JSON that came from outside.
 * @throws SyntaxError when it is not JSON, JsonDepthError when it nests deeper than {@link maximumJsonDepth}
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  refuseDepth(value);
  return value;
}

/** Level by level, not by recursion: the input may nest deeper than the stack reaches. */
function refuseDepth(root: unknown): void {
  let level = containersIn([root]);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maximumJsonDepth) {
      throw new JsonDepthError(`JSON nests deeper than ${maximumJsonDepth} levels`);
    }
    level = level.flatMap(containersIn);
  }
}

/** Scalars are left out at once: a body may hold millions of them. */
function containersIn(value: object): object[] {
  const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return children.filter(isContainer);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** True for a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
