import type { Registry } from '@relay/bus';
import {
  changeOrganizationRequestSchema,
  changePersonRequestSchema,
  type OwnerId,
  type OwnerRecord,
  RelayError,
  validate,
} from '@relay/protocol';
import { requireOrganizations } from './find-owner.ts';
import { laterThan } from './later-than.ts';

/**
 * Changes an owner as a request asks for.
 * @param change the body of the request, not checked
 * @throws RelayError notFound where it was deleted meanwhile, invalidParams
 */
export async function changeOwner(
  registry: Registry,
  { id, kind }: OwnerRecord,
  change: unknown,
): Promise<OwnerRecord> {
  if (kind === 'organization') {
    const fields = validate(changeOrganizationRequestSchema, change);
    return updateOwner(registry, id, (current) => ({
      ...current,
      ...fields,
      ...changedNow(current),
    }));
  }
  const fields = validate(changePersonRequestSchema, change);
  await requireOrganizations(registry, fields.organizations ?? []);
  return updateOwner(registry, id, (current) => ({
    ...current,
    ...fields,
    ...changedNow(current),
  }));
}

/** @throws RelayError notFound */
export async function updateOwner(
  registry: Registry,
  ownerId: OwnerId,
  update: (current: OwnerRecord) => OwnerRecord,
): Promise<OwnerRecord> {
  const entry = await registry.owners.change(ownerId, (current) => current && update(current));
  if (!entry) throw new RelayError('notFound');
  registry.forgetOwner(entry.value);
  return entry.value;
}

function changedNow({ updated_at }: OwnerRecord) {
  return { updated_at: laterThan(updated_at) };
}
