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
  if (isContainer(value)) refuseDepth(value, 0);
  return value;
}

/** It goes no deeper than the limit, so the stack is safe from what the input holds. */
function refuseDepth(container: object, depth: number): void {
  if (depth > maximumJsonDepth) {
    throw new JsonDepthError(`JSON nests deeper than ${maximumJsonDepth} levels`);
  }
  const children: readonly unknown[] = Array.isArray(container)
    ? container
    : Object.values(container);
  for (const child of children) if (isContainer(child)) refuseDepth(child, depth + 1);
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** True for a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
