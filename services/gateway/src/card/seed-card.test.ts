import { agentRecordSchema } from '@relay/protocol';
import { expect, it } from 'vitest';
import { toAgentCard } from './agent-card.ts';

const url = 'https://staging.relayagent.im/relay';

/** As Relay's documentation shows it. */
const documented = {
  name: 'Relay',
  description: "Relay's official agent",
  supportedInterfaces: [
    { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
  ],
  version: '1789969611218000',
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
  securitySchemes: {
    relay: { httpAuthSecurityScheme: { scheme: 'Bearer', description: 'Relay agent token' } },
  },
  securityRequirements: [{ schemes: { relay: { list: [] } } }],
  defaultInputModes: ['text/plain', 'application/a2ui+json'],
  defaultOutputModes: ['text/plain', 'application/json', 'application/a2ui+json'],
  skills: [],
  iconUrl: 'https://cdn.relayapp.im/contact-card/image.png',
};

it('a card is the documented one but for HTTP+JSON where nothing is added', () => {
  const changed = new Date(1_789_969_611_218).toISOString();
  const agent = agentRecordSchema.parse({
    id: '01a0537e-27a7-757c-a614-c28ca730478d',
    handle: 'relay',
    display_name: documented.name,
    subtitle: documented.description,
    description: null,
    category: null,
    skills: [],
    image_url: documented.iconUrl,
    visibility: 'public',
    owner_id: null,
    accepts_tasks: false,
    created_at: changed,
    updated_at: changed,
    tokens: [],
  });
  const address = { origin: 'https://staging.relayagent.im', url, hasPush: false };
  const { supportedInterfaces, ...card } = toAgentCard({ agent, owner: undefined }, address);
  const { supportedInterfaces: interfaces, ...rest } = documented;
  expect(card).toEqual(rest);
  expect(supportedInterfaces.slice(0, 2)).toEqual(interfaces);
  expect(supportedInterfaces.slice(2).map((each) => each.protocolBinding)).toEqual([
    'HTTP+JSON',
    'HTTP+JSON',
  ]);
});
