/** The JSON in a text; `undefined` when there is none. What it means is for the reader to check. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
