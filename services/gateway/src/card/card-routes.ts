import { RelayError } from '@relay/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressRoute } from '../address/parties.ts';
import type { GatewayContext } from '../gateway-context.ts';
import { originOf } from '../http/origin.ts';
import { answerPage } from '../http/page.ts';
import type { Operation } from '../reference/operation.ts';
import { findAgent } from '../registry/find-agent.ts';
import { prefersHtml } from './accept.ts';
import { toAgentPage } from './agent-page.ts';
import { answerCard } from './card-answer.ts';
import { describeCards, rootCardOperation } from './card-operations.ts';

type CardRequest = FastifyRequest<AddressRoute>;

/** The public face of an agent: its card and its page. No token is asked for. */
export function addCardRoutes(
  server: FastifyInstance,
  context: GatewayContext,
  prefix: '' | '/a2a',
): void {
  const find = async (request: CardRequest) => {
    const agent = await findAgent(context.registry, request.params.handle);
    request.record.handle = agent.handle;
    const origin = originOf(request, context.config);
    const owner = await context.registry.ownerOf(agent);
    const address = { origin, url: `${origin}${prefix}/${agent.handle}` };
    return { owned: { agent, owner }, address };
  };
  const answerWithCard = async (request: CardRequest, reply: FastifyReply) => {
    const { owned, address } = await find(request);
    return answerCard(request, reply.header('vary', 'A2A-Version'), owned, address);
  };
  const answerWithCardOrPage = async (request: CardRequest, reply: FastifyReply) => {
    const { owned, address } = await find(request);
    reply.header('vary', 'Accept, A2A-Version');
    return prefersHtml(request.headers.accept)
      ? answerPage(reply, toAgentPage(owned, address))
      : answerCard(request, reply, owned, address);
  };
  const { card, wellKnownCard, cardOrPage } = describeCards(prefix);
  const add = (path: string, operation: Operation, answer: typeof answerWithCard) =>
    server.get<AddressRoute>(`${prefix}/:handle${path}`, { config: { operation } }, answer);
  add('/agent-card.json', card, answerWithCard);
  add('/.well-known/agent-card.json', wellKnownCard, answerWithCard);
  add('', cardOrPage, answerWithCardOrPage);
}

/** A relay is no agent, so it has no card; whoever looks for one learns where the cards are. */
export function addRootCardRoute(server: FastifyInstance, context: GatewayContext): void {
  const config = { operation: rootCardOperation };
  server.get('/.well-known/agent-card.json', { config }, (request) => {
    throw new RelayError({
      error: 'notFound',
      message: `Each agent has its own card: ${originOf(request, context.config)}/<handle>/.well-known/agent-card.json`,
    });
  });
}
