import { createHash } from 'node:crypto';
import {
  type AgentId,
  type AgentRecord,
  agentIdSchema,
  agentRecordSchema,
  type OwnerId,
  type OwnerRecord,
  ownerIdSchema,
  ownerRecordSchema,
} from '@relay/protocol';
import { type StreamMessage, textOf } from './stream.ts';
import { subjects } from './subjects.ts';

/** An agent or an owner as a write of the registry left it; undefined where it is gone or cannot be read. */
export type RegistryChange =
  | { readonly agentId: AgentId; readonly agent: AgentRecord | undefined }
  | { readonly ownerId: OwnerId; readonly owner: OwnerRecord | undefined };

export interface RegistryWrite {
  /** Tells the write from another one at its place, in a store that was rolled back. */
  readonly changeId: string;
  /** None where it is of something else. */
  readonly change: RegistryChange | undefined;
}

/** Reads a message of the bucket's stream. */
export function readRegistryWrite(message: StreamMessage): RegistryWrite {
  const { subject, data } = message;
  const operation = message.header('KV-Operation');
  const digest = createHash('sha256').update(`${subject} ${operation} `).update(data);
  return { changeId: digest.digest('base64url'), change: readChange(message, operation !== '') };
}

function readChange(message: StreamMessage, isRemoved: boolean): RegistryChange | undefined {
  const [kind, id] = message.subject.slice(subjects.key('registry', '').length).split('.');
  if (kind === 'agent') {
    const agent = isRemoved ? undefined : agentRecordSchema.safeParse(jsonIn(message)).data;
    return { agentId: agentIdSchema.parse(id), agent };
  }
  if (kind === 'owner') {
    const owner = isRemoved ? undefined : ownerRecordSchema.safeParse(jsonIn(message)).data;
    return { ownerId: ownerIdSchema.parse(id), owner };
  }
  return undefined;
}

function jsonIn({ data }: StreamMessage): unknown {
  return JSON.parse(textOf(data));
}
