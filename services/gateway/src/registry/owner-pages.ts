import type { Registry } from '@relay/bus';
import { type OwnerRecord, ownerIdSchema } from '@relay/protocol';
import type { PageQuery } from './agent-pages.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { ListedKeys } from './listed-keys.ts';

export interface OwnerPage {
  readonly owners: readonly OwnerRecord[];
  /** `null` at the end. */
  readonly nextCursor: string | null;
}

/** Owners by id, and so by age. Its first page reads the keys of all, so it is for the administrator alone. */
export async function readOwnerPage(
  registry: Registry,
  lists: ListedKeys,
  { limit, cursor }: PageQuery,
): Promise<OwnerPage> {
  const after = cursor === undefined ? '' : decodeCursor(cursor, ownerIdSchema);
  const ids = await lists.readAfter('all', after, () => registry.owners.keys());
  const owners: OwnerRecord[] = [];
  for (const id of ids) {
    const owner = await registry.ownerById(ownerIdSchema.parse(id));
    if (!owner) continue;
    const last = owners.at(-1);
    if (last && owners.length === limit) return { owners, nextCursor: encodeCursor(last.id) };
    owners.push(owner);
  }
  return { owners, nextCursor: null };
}
