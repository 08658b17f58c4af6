import {
  chatIdSchema,
  chatMessageIdSchema,
  handleSchema,
  ownerIdSchema,
  stuckMessageIdSchema,
  subscriptionIdSchema,
  taskIdSchema,
  webhookDeliveryIdSchema,
} from '@relay/protocol';
import { z } from 'zod';
import { type DescribedRoute, type Operation, tags } from './operation.ts';
import { renderErrorTable } from './refusals.ts';
import { type DocumentParts, toResponses } from './responses.ts';
import { byName, isRequired, type Json, Schemas } from './schemas.ts';

const introduction = `A self-hosted, event-driven A2A relay.

Any A2A client reaches an agent at \`/{handle}\`: over JSON-RPC or HTTP+JSON, of version 1.0, 0.3 or (JSON-RPC) 0.1. Agents have a REST twin of the same operations under
\`/v1\`, and hear of their tasks over the WebSocket \`/v1/websocket\`; its frames and events are in
\`/asyncapi.json\` and, for people, at \`/docs/events\`.

Every answer has an \`X-Request-Id\`: the trace id of the caller's \`traceparent\`, or a new one. Answers may
get members that are not named here. A2A's own objects are read as ProtoJSON: a field may be named in snake
case, an enum by its number. A path may end with a slash.

## Errors

Branch on the code, never on the message. At an agent's address a refusal is a JSON-RPC error, below it an
error of HTTP+JSON, each with an ErrorInfo that holds the reason and the code; elsewhere it is an \`Error\`.

${renderErrorTable()}`;

/** By their names in the paths. */
const pathParameters: Readonly<Record<string, z.ZodType>> = {
  handle: handleSchema.meta({ description: "The agent's handle." }),
  taskId: taskIdSchema.meta({ description: "The task's id." }),
  messageId: chatMessageIdSchema.meta({ description: "The message's id." }),
  chatId: chatIdSchema.meta({ description: "The chat's id." }),
  ownerId: ownerIdSchema.meta({ description: "The owner's id." }),
  deliveryId: webhookDeliveryIdSchema.meta({ description: "The delivery's id." }),
  stuckId: stuckMessageIdSchema.meta({ description: 'What could not process it, and where.' }),
  subscriptionId: subscriptionIdSchema.meta({ description: "The subscription's id." }),
  configId: z.string().meta({ description: 'The id of a push notification config.' }),
  tokenId: z.uuid().meta({ description: "The token's id, which is not the token." }),
};

const securitySchemes = {
  agent: { type: 'http', scheme: 'bearer', description: 'A token of an agent.' },
  administrator: { type: 'http', scheme: 'bearer', description: "The administrator's token." },
  owner: { type: 'http', scheme: 'bearer', description: 'A token of an organization or a person.' },
};

/** One of these is asked for. */
const security: Readonly<Record<Operation['caller'], readonly Json[]>> = {
  agent: [{ agent: [] }],
  administrator: [{ administrator: [] }],
  manager: [{ administrator: [] }, { owner: [] }],
  contact: [{ agent: [] }, { owner: [] }],
  anyone: [],
};

/**
 * The API reference of the routes: OpenAPI 3.1.
 * @throws Error where a route cannot be described
 */
export function openApiDocument(routes: readonly DescribedRoute[]): Json {
  const parts: DocumentParts = {
    schemas: new Schemas('draft-2020-12'),
    examples: new Map(),
    responses: new Map(),
  };
  const paths = [...new Set(routes.map(({ path }) => path))].map((path) => [
    toTemplate(path),
    Object.fromEntries(
      routes
        .filter((route) => route.path === path)
        .map(({ method, operation }) => [
          method.toLowerCase(),
          toOperation(operation, path, parts),
        ]),
    ),
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Relay',
      version: 'v1',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      schemas: parts.schemas.components,
      responses: byName(parts.responses),
      examples: byName(parts.examples),
      securitySchemes,
    },
  };
}

function toOperation(operation: Operation, path: string, parts: DocumentParts): Json {
  const { id, tag, summary, description, caller, body } = operation;
  const { bodyTypes = ['application/json'] } = operation;
  const { schemas } = parts;
  const parameters = toParameters(operation, path, schemas);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: security[caller],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? {
          requestBody: {
            required: isRequired(body),
            content: Object.fromEntries(
              bodyTypes.map((type) => [type, { schema: schemas.refer(body, 'input') }]),
            ),
          },
        }
      : {}),
    responses: toResponses(operation, parts),
  };
}

/** A parameter in a path of the router, with what it must look like; a doubled colon is none. */
const pathParameterPattern = /(?<!:):(\w+)(?:\([^)]*\))?/g;

function toTemplate(path: string): string {
  return path.replace(pathParameterPattern, '{$1}').replaceAll('::', ':');
}

function toParameters({ query, headers }: Operation, path: string, schemas: Schemas): Json[] {
  const names = [...path.matchAll(pathParameterPattern)].map(([, name = '']) => name);
  return [
    ...parametersIn('path', Object.fromEntries(names.map(describePathParameter)), schemas),
    ...parametersIn('query', query?.shape ?? {}, schemas),
    ...parametersIn('header', headers?.shape ?? {}, schemas),
  ];
}

function describePathParameter(name: string): [string, z.ZodType] {
  const schema = pathParameters[name];
  if (!schema) throw new Error(`The path parameter ${name} is not described`);
  return [name, schema];
}

function parametersIn(
  place: 'path' | 'query' | 'header',
  members: Readonly<Record<string, z.ZodType>>,
  schemas: Schemas,
): Json[] {
  return Object.entries(members).map(([name, member]) => {
    const { description, ...schema } = schemas.refer(member, 'input');
    return {
      name,
      in: place,
      required: isRequired(member),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}
