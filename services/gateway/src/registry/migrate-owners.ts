import type { Bus, Registry } from '@relay/bus';
import {
  agentRecordSchema,
  type Handle,
  handleSchema,
  type OwnerId,
  ownerIdSchema,
  type Timestamp,
} from '@relay/protocol';
import { v5 as uuidv5 } from 'uuid';
import { z } from 'zod';
import { indexOwnedAgent } from './owned-agents.ts';

/** Until owners had records, an agent's record described its owner. */
const describedOwnerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('organization'),
    name: z.string(),
    website: z.string().nullable().default(null),
    verified: z.boolean(),
  }),
  z.object({ kind: z.literal('user'), handle: handleSchema, display_name: z.string() }),
]);
type DescribedOwner = z.infer<typeof describedOwnerSchema>;

const describedAgentSchema = z.object({
  ...agentRecordSchema.shape,
  owner: describedOwnerSchema.nullish(),
});

/** For ids that are made of a description, so that a migration that runs again makes the same ones. */
const namespace = '6e2f1c0a-52f5-4f0b-9d0e-7a1b9c64d1f3';

/**
 * Gives records of their own to the owners that agents' records describe: one for each description of an
 * organization, one for each handle of a person. It may break off, run again, and run in several processes.
 */
export async function migrateOwners(bus: Bus, registry: Registry): Promise<void> {
  const done = bus.bucket('registry', 'migration.', z.object({}));
  if (await done.get('owners')) return;
  const agents = bus.bucket('registry', 'agent.', describedAgentSchema);
  for (const key of await agents.keys()) {
    const agent = (await agents.get(key))?.value;
    if (!agent?.owner) continue;
    const ownerId = await ensureOwner(registry, agent.owner, agent.created_at);
    await indexOwnedAgent(registry, ownerId, agent);
    await agents.change(key, (current) =>
      current?.owner ? { ...current, owner: undefined, owner_id: ownerId } : undefined,
    );
  }
  await done.create('owners', {});
}

async function ensureOwner(
  registry: Registry,
  described: DescribedOwner,
  at: Timestamp,
): Promise<OwnerId> {
  const name = described.kind === 'user' ? ['user', described.handle] : Object.entries(described);
  const id = ownerIdSchema.parse(uuidv5(JSON.stringify(name), namespace));
  const fields = { id, created_at: at, updated_at: at, tokens: [] };
  if (described.kind === 'user') {
    const handle = await takeHandle(registry, id, described.handle);
    await registry.owners.create(id, { ...described, handle, organizations: [], ...fields });
  } else {
    await registry.owners.create(id, { ...described, ...fields });
  }
  return id;
}

/** The described handle was checked against no other: where it is taken, the person gets one of its id. */
async function takeHandle(
  registry: Registry,
  personId: OwnerId,
  described: Handle,
): Promise<Handle> {
  const spare = handleSchema.parse(`person_${personId.replaceAll('-', '').slice(0, 12)}`);
  for (const handle of [described, spare]) {
    await registry.handles.create(handle, { agentId: null, personId });
    if ((await registry.handles.get(handle))?.value.personId === personId) return handle;
  }
  throw new Error(`No handle is free for the owner ${described}`);
}
