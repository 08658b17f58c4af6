import type { Registry } from '@relay/bus';
import {
  type CreateOwnerRequest,
  type OwnerRecord,
  ownerIdSchema,
  type PersonRecord,
  timestampAt,
} from '@relay/protocol';
import { v7 as uuidv7 } from 'uuid';
import { isReserved } from '../root-paths.ts';
import { requireOrganizations } from './find-owner.ts';
import { handleTaken } from './handle-taken.ts';

/**
 * Makes an owner, without a token.
 * @throws RelayError conflict where the handle is taken, invalidParams where an organization is not there
 */
export async function createOwner(
  registry: Registry,
  profile: CreateOwnerRequest,
): Promise<OwnerRecord> {
  const now = timestampAt(Date.now());
  const id = ownerIdSchema.parse(uuidv7());
  const owner: OwnerRecord = { ...profile, id, created_at: now, updated_at: now, tokens: [] };
  if (owner.kind === 'user') {
    await requireOrganizations(registry, owner.organizations);
    await createPerson(registry, owner);
  } else {
    await registry.owners.create(owner.id, owner);
  }
  registry.forgetOwner(owner);
  return owner;
}

/** As with an agent: the record is written first, and the handle is the commit. */
async function createPerson(registry: Registry, person: PersonRecord): Promise<void> {
  const { id, handle } = person;
  if (isReserved(handle)) throw handleTaken();
  await registry.owners.create(id, person);
  const committed = await registry.handles.create(handle, { agentId: null, personId: id });
  if (committed !== undefined) return;
  await registry.owners.delete(id);
  throw handleTaken();
}
