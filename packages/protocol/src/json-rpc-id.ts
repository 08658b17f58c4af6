import { z } from 'zod';
import { isJsonObject } from './json.ts';

/** A `bigint` is a whole number that JavaScript's numbers cannot hold: clients in other languages send such. */
export type JsonRpcId = string | number | bigint | null;

/** As JSON has it. */
export const jsonRpcIdSchema = z.union([z.string(), z.number()]).nullable();

export const idSchema = z.union([jsonRpcIdSchema, z.bigint()]).optional();

/** The id to answer with: what the caller sent, or null where none can be read. */
export function idOf(body: unknown): JsonRpcId {
  const parsed = idSchema.safeParse(isJsonObject(body) ? body['id'] : null);
  return parsed.data ?? null;
}

/** The body with its id as it was written, where parsing has rounded it. */
export function withExactId(body: unknown, text: string): unknown {
  if (!isJsonObject(body) || !isRounded(body['id'])) return body;
  const written = numberOfMember(text, '"id"');
  return written === undefined ? body : { ...body, id: BigInt(written) };
}

function isRounded(id: unknown): boolean {
  return typeof id === 'number' && Number.isInteger(id) && !Number.isSafeInteger(id);
}

const wholeNumber = /\s*:\s*(-?\d+)(?=[\s,}])/y;
const depthChanges: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** The whole number that a member of the outermost object is, as it stands in valid JSON. */
function numberOfMember(json: string, quotedName: string): string | undefined {
  let depth = 0;
  let found: string | undefined;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at] ?? '';
    depth += depthChanges[character] ?? 0;
    if (character !== '"') continue;
    const end = endOfString(json, at);
    if (depth === 1 && json.slice(at, end) === quotedName) {
      wholeNumber.lastIndex = end;
      // Of members of one name the last one counts.
      found = wholeNumber.exec(json)?.[1] ?? found;
    }
    at = end - 1;
  }
  return found;
}

/** @param start where its first quote is. @returns where the text after it begins */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1;
  return at + 1;
}
