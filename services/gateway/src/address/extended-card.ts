import { RelayError } from '@relay/protocol';
import { addressOf } from '../card/agent-address.ts';
import { toExtendedCard } from '../card/agent-card.ts';
import type { AddressCall } from './address-call.ts';

/**
 * GetExtendedAgentCard, as the version writes it.
 * @throws RelayError where the agent has none, as the version tells that
 */
export async function getExtendedCard(call: AddressCall): Promise<object> {
  const { context, callee, encoder, request } = call;
  const owner = await context.registry.ownerOf(callee);
  const address = addressOf(request, callee.handle, context.config);
  const card = toExtendedCard({ agent: callee, owner }, address);
  if (!card) throw new RelayError(encoder.noCard);
  return context.cardSigner.sign(card, encoder.card(card));
}
