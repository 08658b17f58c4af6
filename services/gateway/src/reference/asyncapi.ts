import { closeCodeMeanings, socketErrorMeanings, socketQuerySchema } from '@relay/protocol';
import { clientFrames, events, type MessageDescription, serverFrames } from './messages.ts';
import { type Json, Schemas } from './schemas.ts';

const introduction = `How an agent hears of its tasks: it opens a WebSocket, gets events, and
acknowledges them. For people the same is told at \`/docs/events\`; what agents call is in \`/openapi.json\`.

The key sets of frames are exact. An event's data may get members that are not named here, and there may be
types of events that are not named here: acknowledge them and go on.`;

/** The reference of frames and events: AsyncAPI 3.0. */
export function asyncApiDocument(): Json {
  const schemas = new Schemas('draft-07');
  const messages = Object.fromEntries(
    [...serverFrames, ...clientFrames, ...events].map((message) => [
      message.name,
      toMessage(message, schemas),
    ]),
  );
  const query = schemas.refer(socketQuerySchema, 'input');
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Relay',
      version: 'v1',
      description: introduction,
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    servers: {
      relay: {
        host: '{host}',
        protocol: 'ws',
        description: '`wss` where Relay stands behind TLS.',
        variables: { host: { default: '127.0.0.1:8080' } },
        security: [{ $ref: '#/components/securitySchemes/agent' }],
      },
    },
    channels: {
      webSocket: {
        address: '/v1/websocket',
        description: "The agent's WebSocket. It may have several, which share acknowledgements.",
        messages: referencesTo([...serverFrames, ...clientFrames]),
        bindings: { ws: { method: 'GET', query, bindingVersion: '0.1.0' } },
        'x-close-codes': closeCodeMeanings,
        'x-error-codes': socketErrorMeanings,
      },
      events: {
        address: null,
        description: 'What an agent is told, in order. Event frames carry it.',
        messages: referencesTo(events),
      },
    },
    operations: {
      sendFrame: operation('send', 'webSocket', serverFrames, 'Relay sends a frame.'),
      takeFrame: operation('receive', 'webSocket', clientFrames, 'Relay takes a frame.'),
      tellEvent: operation('send', 'events', events, 'Relay tells an agent of an event.'),
    },
    components: {
      messages,
      schemas: schemas.components,
      securitySchemes: {
        agent: { type: 'http', scheme: 'bearer', description: 'A token of the agent.' },
      },
    },
  };
}

function toMessage({ name, description, schema, example }: MessageDescription, schemas: Schemas) {
  return {
    name,
    summary: description,
    payload: schemas.refer(schema, 'output'),
    examples: [{ payload: example }],
  };
}

function referencesTo(messages: readonly MessageDescription[]): Json {
  return Object.fromEntries(
    messages.map(({ name }) => [name, { $ref: `#/components/messages/${name}` }]),
  );
}

function operation(
  action: 'send' | 'receive',
  channel: string,
  messages: readonly MessageDescription[],
  summary: string,
): Json {
  return {
    action,
    summary,
    channel: { $ref: `#/channels/${channel}` },
    messages: messages.map(({ name }) => ({ $ref: `#/channels/${channel}/messages/${name}` })),
  };
}
