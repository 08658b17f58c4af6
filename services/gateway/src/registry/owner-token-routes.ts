import type { FastifyInstance } from 'fastify';
import type { GatewayContext } from '../gateway-context.ts';
import { addAdministratorRoute } from '../http/rest-route.ts';
import { findOwner } from './find-owner.ts';
import { createToken, listTokens, revokeListed, tokenRoutes } from './token-answers.ts';
import { tokensOfOwner } from './token-list.ts';

/** The administrator's routes to the tokens of owners. */
export function addOwnerTokenRoutes(server: FastifyInstance, context: GatewayContext): void {
  const { registry } = context;
  const tokensOf = async (ownerId: string) =>
    tokensOfOwner(registry, await findOwner(registry, ownerId));
  addAdministratorRoute(
    server,
    context,
    {
      ...tokenRoutes.create,
      path: '/v1/owners/:ownerId/tokens',
      id: 'createOwnerToken',
      tag: 'Owners',
      summary: 'Make a token of an owner',
      errors: ['notFound', 'conflict'],
    },
    async ({ request, body, reply }) => {
      const { name = null } = body();
      const list = await tokensOf(request.params.ownerId);
      return createToken(registry, list, { kind: 'owner', name, issuedBy: null }, reply);
    },
  );
  addAdministratorRoute(
    server,
    context,
    {
      ...tokenRoutes.list,
      path: '/v1/owners/:ownerId/tokens',
      id: 'listOwnerTokens',
      tag: 'Owners',
      summary: "An owner's tokens, without the tokens themselves",
      errors: ['notFound'],
    },
    async ({ request }) => listTokens(await tokensOf(request.params.ownerId)),
  );
  addAdministratorRoute(
    server,
    context,
    {
      ...tokenRoutes.revoke,
      path: '/v1/owners/:ownerId/tokens/:tokenId',
      id: 'revokeOwnerToken',
      tag: 'Owners',
      summary: "Revoke an owner's token",
      errors: ['notFound'],
    },
    async ({ request }) => {
      const { ownerId, tokenId } = request.params;
      await revokeListed(registry, await tokensOf(ownerId), tokenId);
    },
  );
}
