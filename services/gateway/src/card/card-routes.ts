import { type AgentCard, encodeCardV01, encodeCardV03, RelayError } from '@relay/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AddressRoute } from '../address/parties.ts';
import { asksForCurrent } from '../address/version.ts';
import type { GatewayContext } from '../gateway-context.ts';
import { originOf } from '../http/origin.ts';
import { answerPage } from '../http/page.ts';
import type { Operation } from '../reference/operation.ts';
import { findAgent } from '../registry/find-agent.ts';
import { prefersHtml } from './accept.ts';
import { addressOf } from './agent-address.ts';
import { lastChangeOf, toAgentCard } from './agent-card.ts';
import { toAgentPage } from './agent-page.ts';
import { answerCard, publicCaching } from './card-answer.ts';
import { describeCards, keySetOperation, rootCardOperations } from './card-operations.ts';
import { keySetPath } from './card-signer.ts';

type CardRequest = FastifyRequest<AddressRoute>;

/** The form that fits whoever asks: 1.0 alone where that is asked for by name, else 0.3 with it. */
const formAskedFor = ({ headers, query }: CardRequest) =>
  asksForCurrent(headers, query) ? (card: AgentCard) => card : encodeCardV03;

/** The public face of an agent: its card and its page. No token is asked for. */
export function addCardRoutes(
  server: FastifyInstance,
  context: GatewayContext,
  prefix: '' | '/a2a',
): void {
  const find = async (request: CardRequest) => {
    const agent = await findAgent(context.registry, request.params.handle);
    request.record.handle = agent.handle;
    const owner = await context.registry.ownerOf(agent);
    const address = addressOf(request, agent.handle, context.config);
    return { owned: { agent, owner }, address };
  };
  const answerIn = async (
    request: CardRequest,
    reply: FastifyReply,
    encode: (card: AgentCard) => object,
  ) => {
    const { owned, address } = await find(request);
    const card = toAgentCard(owned, address);
    const answer = { card, written: encode(card), lastChange: lastChangeOf(owned) };
    return answerCard(request, reply, context.cardSigner, answer);
  };
  const answerWithCard = (request: CardRequest, reply: FastifyReply) =>
    answerIn(request, reply.header('vary', 'A2A-Version'), formAskedFor(request));
  const answerWithOldestCard = (request: CardRequest, reply: FastifyReply) =>
    answerIn(request, reply, encodeCardV01);
  const answerWithCardOrPage = async (request: CardRequest, reply: FastifyReply) => {
    reply.header('vary', 'Accept, A2A-Version');
    if (!prefersHtml(request.headers.accept)) {
      return answerIn(request, reply, formAskedFor(request));
    }
    const { owned, address } = await find(request);
    return answerPage(reply, toAgentPage(owned, address));
  };
  const { card, wellKnownCard, oldestCard, cardOrPage } = describeCards(prefix);
  const add = (path: string, operation: Operation, answer: typeof answerWithCard) =>
    server.get<AddressRoute>(`${prefix}/:handle${path}`, { config: { operation } }, answer);
  add('/agent-card.json', card, answerWithCard);
  add('/.well-known/agent-card.json', wellKnownCard, answerWithCard);
  add('/.well-known/agent.json', oldestCard, answerWithOldestCard);
  add('', cardOrPage, answerWithCardOrPage);
}

/** The public keys of the relay, by which its cards are verified. */
export function addKeySetRoute(server: FastifyInstance, { cardSigner }: GatewayContext): void {
  server.get(keySetPath, { config: { operation: keySetOperation } }, (_request, reply) =>
    reply.header('cache-control', publicCaching).send({ keys: cardSigner.publicKeys() }),
  );
}

/** A relay is no agent, so it has no card; whoever looks for one learns where the cards are. */
export function addRootCardRoutes(server: FastifyInstance, context: GatewayContext): void {
  for (const [path, operation] of Object.entries(rootCardOperations)) {
    server.get(path, { config: { operation } }, (request) => {
      throw new RelayError({
        error: 'notFound',
        message: `Each agent has its own card: ${originOf(request, context.config)}/<handle>${path}`,
      });
    });
  }
}
