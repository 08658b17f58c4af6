import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { openApiDocument } from './openapi.ts';
import type { DescribedRoute, Operation } from './operation.ts';
import type { Json } from './schemas.ts';

const shared = { tag: 'Running', caller: 'anyone', errors: [], errorForm: 'rest' } as const;

const openApi: Operation = {
  ...shared,
  id: 'getOpenApi',
  summary: 'This reference',
  answers: [
    {
      status: 200,
      description: 'An OpenAPI 3.1 document.',
      content: { 'application/json': z.looseObject({ openapi: z.string() }) },
    },
  ],
};

/** The API references of this very relay. */
export function addReferenceRoutes(
  server: FastifyInstance,
  readRoutes: () => readonly DescribedRoute[],
): void {
  // Not before all routes are there, and then once.
  let document: Json | undefined;
  server.get('/openapi.json', { config: { operation: openApi } }, () => {
    document ??= openApiDocument(readRoutes());
    return document;
  });
}
