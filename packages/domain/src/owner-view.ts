import type {
  HandleOwner,
  OwnerPerson,
  OwnerRecord,
  OwnerResource,
  PersonRecord,
} from '@relay/protocol';

/** An owner as others see it. */
export function toHandleOwner(owner: OwnerRecord | undefined): HandleOwner | null {
  if (owner === undefined) return null;
  return owner.kind === 'organization'
    ? { kind: 'organization', name: owner.name, verified: owner.verified }
    : { kind: 'user', handle: owner.handle, display_name: owner.display_name };
}

/** Whether what an owner says of itself was verified: persons never are. */
export function isVerified(owner: OwnerRecord | undefined): boolean {
  return owner?.kind === 'organization' && owner.verified;
}

/** A person behind an agent, as the agent sees it. */
export function toOwnerPerson({ id, handle, display_name }: PersonRecord): OwnerPerson {
  return { id, handle, display_name };
}

/** The owner as the administrator sees it. */
export function toOwnerResource({ tokens: _tokens, ...owner }: OwnerRecord): OwnerResource {
  return owner;
}
