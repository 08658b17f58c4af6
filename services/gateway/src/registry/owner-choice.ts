import type { Registry } from '@relay/bus';
import { actsFor } from '@relay/domain';
import { type OwnerId, type OwnerRecord, RelayError } from '@relay/protocol';
import type { Manager } from '../http/authentication.ts';
import { requireOwner } from './find-owner.ts';

type Asked = OwnerId | null | undefined;

/**
 * Who is to own a new agent; undefined for nobody.
 * @throws RelayError forbidden where the manager may not make agents for it, invalidParams where it is not there
 */
export async function ownerOfNewAgent(
  registry: Registry,
  manager: Manager,
  asked: Asked,
): Promise<OwnerRecord | undefined> {
  if (manager.kind === 'administrator') return readAsked(registry, asked);
  if (asked === undefined) return manager.owner;
  // The same for those that are there and those that are not.
  if (asked === null || !actsFor(manager.owner).includes(asked)) {
    const message =
      'An owner makes agents for itself and for organizations of which it is a member.';
    throw new RelayError({ error: 'forbidden', message });
  }
  return requireOwner(registry, asked);
}

/**
 * Checks to whom an agent may be given.
 * @throws RelayError forbidden for an owner, invalidParams where the new owner is not there
 */
export async function checkNewOwner(
  registry: Registry,
  manager: Manager,
  asked: Asked,
): Promise<void> {
  if (asked !== undefined && manager.kind === 'owner') {
    const message = 'Only the administrator can give an agent to another owner.';
    throw new RelayError({ error: 'forbidden', message });
  }
  await readAsked(registry, asked);
}

async function readAsked(registry: Registry, asked: Asked): Promise<OwnerRecord | undefined> {
  return asked ? requireOwner(registry, asked) : undefined;
}
