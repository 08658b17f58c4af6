import type { Registry } from '@relay/bus';
import { type OwnerId, type OwnerRecord, ownerIdSchema, RelayError } from '@relay/protocol';

/**
 * The owner that a path names.
 * @throws RelayError notFound
 */
export async function findOwner(registry: Registry, ownerId: string): Promise<OwnerRecord> {
  const parsed = ownerIdSchema.safeParse(ownerId);
  const owner = parsed.success ? await registry.ownerById(parsed.data) : undefined;
  if (!owner) throw new RelayError('notFound');
  return owner;
}

/**
 * The owner that a body names.
 * @throws RelayError invalidParams
 */
export async function requireOwner(registry: Registry, ownerId: OwnerId): Promise<OwnerRecord> {
  const owner = await registry.ownerById(ownerId);
  if (owner) return owner;
  throw new RelayError({ error: 'invalidParams', message: `There is no owner ${ownerId}.` });
}

/** @throws RelayError invalidParams where one is no organization */
export async function requireOrganizations(
  registry: Registry,
  ownerIds: readonly OwnerId[],
): Promise<void> {
  for (const ownerId of ownerIds) {
    const { kind } = await requireOwner(registry, ownerId);
    if (kind === 'organization') continue;
    const message = `The owner ${ownerId} is no organization.`;
    throw new RelayError({ error: 'invalidParams', message });
  }
}
