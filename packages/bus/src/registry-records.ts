import type { OwnedAgent } from '@relay/domain';
import { agentIdSchema, type OwnerRecord, ownerIdSchema } from '@relay/protocol';
import { z } from 'zod';

/** Whose handle it is. Without an agent or a person its holder was deleted: it stays taken, or another could pose as it. */
export const handleRecordSchema = z.object({
  agentId: agentIdSchema.nullable(),
  personId: ownerIdSchema.optional(),
});
export type HandleRecord = z.infer<typeof handleRecordSchema>;

/** Whose token it is. */
export const tokenHolderSchema = z.union([
  z.object({ agentId: agentIdSchema }),
  z.object({ ownerId: ownerIdSchema }),
]);
export type TokenHolder = z.infer<typeof tokenHolderSchema>;

/** An agent that showed a good token. */
export interface AuthenticatedAgent extends OwnedAgent {
  readonly kind: 'agent';
  readonly tokenHash: string;
}

/** An owner that showed a good token. */
export interface AuthenticatedOwner {
  readonly kind: 'owner';
  readonly owner: OwnerRecord;
}
