import { toOwnerResource } from '@relay/domain';
import {
  changeOrganizationRequestSchema,
  changePersonRequestSchema,
  createOwnerRequestSchema,
  ownerResourceSchema,
} from '@relay/protocol';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { GatewayContext } from '../gateway-context.ts';
import { addAdministratorRoute, noContent } from '../http/rest-route.ts';
import { pageQuerySchema } from './agent-pages.ts';
import { changeOwner } from './change-owner.ts';
import { createOwner } from './create-owner.ts';
import { deleteOwner } from './delete-owner.ts';
import { findOwner } from './find-owner.ts';
import { ListedKeys } from './listed-keys.ts';
import { readOwnerPage } from './owner-pages.ts';

const ownerAnswerSchema = z.object({ owner: ownerResourceSchema });

/** The administrator's routes to organizations and persons. */
export function addOwnerRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { registry } = context;
  const lists = new ListedKeys();
  addAdministratorRoute(
    server,
    context,
    {
      method: 'POST',
      path: '/v1/owners',
      id: 'createOwner',
      tag: 'Owners',
      summary: 'Register an organization or a person',
      description: 'It has no token yet. A person has a handle, which no agent can have then.',
      body: createOwnerRequestSchema,
      status: 201,
      answer: ownerAnswerSchema,
      errors: ['conflict'],
    },
    async ({ body }) => ({ owner: toOwnerResource(await createOwner(registry, body())) }),
  );
  addAdministratorRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/owners',
      id: 'listOwners',
      tag: 'Owners',
      summary: 'All owners, the oldest first',
      query: pageQuerySchema,
      answer: z.object({
        owners: z.array(ownerResourceSchema),
        next_cursor: z.string().nullable().meta({ description: '`null` at the end.' }),
      }),
      errors: [],
    },
    async ({ query }) => {
      const { owners, nextCursor } = await readOwnerPage(registry, lists, query());
      return { owners: owners.map(toOwnerResource), next_cursor: nextCursor };
    },
  );
  addAdministratorRoute(
    server,
    context,
    {
      method: 'GET',
      path: '/v1/owners/:ownerId',
      id: 'getOwner',
      tag: 'Owners',
      summary: 'One owner',
      answer: ownerAnswerSchema,
      errors: ['notFound'],
    },
    async ({ request }) => ({
      owner: toOwnerResource(await findOwner(registry, request.params.ownerId)),
    }),
  );
  addAdministratorRoute(
    server,
    context,
    {
      method: 'PATCH',
      path: '/v1/owners/:ownerId',
      id: 'changeOwner',
      tag: 'Owners',
      summary: 'Change an organization or a person',
      description: 'What is named changes, `null` clears.',
      body: z.union([changeOrganizationRequestSchema, changePersonRequestSchema]),
      answer: ownerAnswerSchema,
      errors: ['notFound'],
    },
    async ({ request, json }) => {
      const change = json();
      const owner = await findOwner(registry, request.params.ownerId);
      return { owner: toOwnerResource(await changeOwner(registry, owner, change)) };
    },
  );
  addAdministratorRoute(
    server,
    context,
    {
      method: 'DELETE',
      path: '/v1/owners/:ownerId',
      id: 'deleteOwner',
      tag: 'Owners',
      summary: 'Delete an owner that owns no agent, and revoke its tokens',
      description: "A person's handle stays taken.",
      status: 204,
      answer: noContent,
      errors: ['notFound', 'conflict'],
    },
    async ({ request }) => {
      await deleteOwner(registry, await findOwner(registry, request.params.ownerId));
    },
  );
}
