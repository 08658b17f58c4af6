import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentCard, agentCardSchema } from '../agent-card.ts';
import { plain } from '../test-support/arbitraries.ts';
import {
  agentCardV01Schema,
  agentCardV03HttpSchema,
  agentCardV03Schema,
  encodeCardV01,
  encodeCardV03,
  encodeCardV03Http,
} from './older-cards.ts';

/** Lines are taken in without blanks around them. */
const line = fc.string({ maxLength: 20 }).map((text) => `x${text}`.trim());
const lines = fc.array(line, { maxLength: 3 });
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });

const skill = fc
  .record({
    id: line,
    name: line,
    description: fc.string({ maxLength: 20 }),
    tags: lines,
    examples: maybe(lines),
    inputModes: maybe(lines),
    outputModes: maybe(lines),
  })
  .map((value) => plain(value));

const card: fc.Arbitrary<AgentCard> = fc
  .record({
    name: line,
    description: fc.string({ maxLength: 20 }),
    supportedInterfaces: fc.webUrl().map((url) => [
      { url, protocolBinding: 'JSONRPC' as const, protocolVersion: '1.0' as const },
      { url, protocolBinding: 'JSONRPC' as const, protocolVersion: '0.3' as const },
      { url, protocolBinding: 'HTTP+JSON' as const, protocolVersion: '0.3' as const },
    ]),
    provider: maybe(fc.record({ organization: line, url: fc.webUrl() })),
    version: line,
    capabilities: fc.record({
      streaming: fc.boolean(),
      pushNotifications: fc.boolean(),
      extendedAgentCard: fc.boolean(),
    }),
    securitySchemes: line.map((description) => ({
      relay: { httpAuthSecurityScheme: { scheme: 'Bearer' as const, description } },
    })),
    securityRequirements: fc.array(
      lines.map((list) => ({ schemes: { relay: { list } } })),
      { maxLength: 2 },
    ),
    defaultInputModes: lines,
    defaultOutputModes: lines,
    skills: fc.array(skill, { maxLength: 2 }),
    iconUrl: maybe(fc.webUrl()),
  })
  .map((value): AgentCard => plain(value));

describe.each([
  ['0.3', encodeCardV03, agentCardV03Schema],
  ['0.3 over HTTP+JSON', encodeCardV03Http, agentCardV03HttpSchema],
  ['0.1', encodeCardV01, agentCardV01Schema],
] as const)('a card as %s has it', (_version, encode, schema) => {
  it('is the card of 1.0 to a reader of 1.0, and holds nothing unknown', () => {
    fc.assert(
      fc.property(card, (value) => {
        const written = plain(encode(value));
        expect(schema.parse(written)).toEqual(written);
        expect(agentCardSchema.parse(written)).toEqual(value);
      }),
    );
  });

  it('says the same in the fields of its own version', () => {
    fc.assert(
      fc.property(card, (value) => {
        const written = encode(value);
        const { supportedInterfaces, capabilities, securitySchemes, securityRequirements } = value;
        const older = supportedInterfaces.filter((each) => each.protocolVersion === '0.3');
        expect(written.additionalInterfaces).toEqual(
          older.map(({ url, protocolBinding }) => ({ url, transport: protocolBinding })),
        );
        expect(written.additionalInterfaces).toContainEqual({
          url: written.url,
          transport: written.preferredTransport,
        });
        expect(written.supportsAuthenticatedExtendedCard).toBe(capabilities.extendedAgentCard);
        expect(written.securitySchemes.relay).toMatchObject({
          type: 'http',
          ...securitySchemes.relay.httpAuthSecurityScheme,
        });
        const needed = written.security.map((each) =>
          'schemes' in each ? each.schemes.relay.list : each.relay,
        );
        expect(needed).toEqual(securityRequirements.map(({ schemes }) => schemes.relay.list));
      }),
    );
  });
});
