/** Garbage for requests, made of those that are valid. */

/** Put in the place of each field, one after the other. */
const wrongValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x',
  '\u0000\ud800',
  'x'.repeat(20_000),
  [],
  [null],
  [[]],
  {},
  { x: 1 },
  JSON.parse('{"__proto__": {"polluted": true}}'),
  nested(60),
];

/** Whole bodies that are no requests. */
export const wrongBodies: readonly (readonly [name: string, body: string])[] = [
  ['null', 'null'],
  ['a number', '1'],
  ['a string', '"x"'],
  ['an empty array', '[]'],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"x"}}]'],
  ['an empty object', '{}'],
  ['a prototype', '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"GetTask","state":"WORKING"}}'],
  ['a constructor', '{"constructor":{"prototype":{"polluted":true}}}'],
  ['200,000 nested arrays', '['.repeat(200_000) + ']'.repeat(200_000)],
  ['100,000 objects that do not end', '{"a":'.repeat(100_000)],
  ['deep params', `{"jsonrpc":"2.0","params":${'['.repeat(101)}${']'.repeat(101)}}`],
  ['4 million numbers', `[${'1,'.repeat(4_000_000)}1]`],
];

function nested(depth: number): unknown {
  return depth === 0 ? 0 : [nested(depth - 1)];
}

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const children = Object.entries(value).flatMap(([key, child]) => pathsIn(child, [...path, key]));
  return [path, ...children];
}

function replaced(value: unknown, path: Path, replacement: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return replacement;
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value);
  copy[key] = replaced(copy[key], rest, replacement);
  return copy;
}

/** Each field of a valid request with each wrong value in its place. */
export function* mutationsOf(valid: unknown): Generator {
  for (const path of pathsIn(valid)) {
    for (const wrong of wrongValues) yield replaced(valid, path, wrong);
  }
}

export async function inTurns<Item>(
  items: Iterable<Item>,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const work = async () => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await run(next.value);
  };
  await Promise.all(Array.from({ length: 16 }, work));
}
