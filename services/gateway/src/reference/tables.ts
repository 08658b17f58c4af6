import { isJsonObject } from '@relay/protocol';
import type { z } from 'zod';
import { type Json, Schemas } from './schemas.ts';

/** A table in Markdown. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The members of an object as a table in Markdown. */
export function renderMembers({ shape }: z.ZodObject): string {
  const members = Object.entries<z.ZodType>(shape);
  return renderTable(
    ['Member', 'Value', 'Meaning'],
    members.map(([name, member]) => renderMember(name, member)),
  );
}

function renderMember(name: string, member: z.ZodType): string[] {
  const json = new Schemas('draft-07').refer(member, 'output');
  const presence = member.isOptional() ? ', may be left out' : '';
  return [`\`${name}\``, `${valueOf(json)}${presence}`, member.description ?? ''];
}

/** A schema in a word or two. */
function valueOf({ $ref, const: constant, enum: values, type, format, anyOf }: Json): string {
  if (typeof $ref === 'string') return $ref.replace(/^.*\//, '');
  if (constant !== undefined) return code(constant);
  if (Array.isArray(values)) return values.map(code).join(', ');
  if (Array.isArray(anyOf)) return anyOf.filter(isJsonObject).map(valueOf).join(' or ');
  if (Array.isArray(type)) return type.join(' or ');
  return [type, format].filter((word) => typeof word === 'string').join(', ');
}

const code = (value: unknown) => `\`${JSON.stringify(value)}\``;
