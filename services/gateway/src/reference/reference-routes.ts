import type { FastifyInstance } from 'fastify';
import { marked } from 'marked';
import { z } from 'zod';
import { answerPage } from '../http/page.ts';
import { asyncApiDocument } from './asyncapi.ts';
import { renderEventsPage } from './events-page.ts';
import { openApiDocument } from './openapi.ts';
import type { DescribedRoute, Operation } from './operation.ts';

const shared = { tag: 'Running', caller: 'anyone', errors: [], errorForm: 'rest' } as const;

const documentAnswer = (description: string) => ({
  status: 200,
  description,
  content: { 'application/json': z.looseObject({}) },
});

const openApi: Operation = {
  ...shared,
  id: 'getOpenApi',
  summary: 'This reference',
  answers: [documentAnswer('An OpenAPI 3.1 document.')],
};

const asyncApi: Operation = {
  ...shared,
  id: 'getAsyncApi',
  summary: 'The reference of events and frames',
  answers: [documentAnswer('An AsyncAPI 3.0 document.')],
};

const eventsPage: Operation = {
  ...shared,
  id: 'getEventsPage',
  summary: 'How to write an agent that gets events',
  answers: [{ status: 200, description: 'A page.', content: { 'text/html': z.string() } }],
};

/** The API references of this very relay. Each is made when it is first asked for, and kept. */
export function addReferenceRoutes(
  server: FastifyInstance,
  readRoutes: () => readonly DescribedRoute[],
): void {
  const openApiOnce = once(() => openApiDocument(readRoutes()));
  const asyncApiOnce = once(asyncApiDocument);
  const eventsOnce = once(renderEvents);
  server.get('/openapi.json', { config: { operation: openApi } }, openApiOnce);
  server.get('/asyncapi.json', { config: { operation: asyncApi } }, asyncApiOnce);
  server.get('/docs/events', { config: { operation: eventsPage } }, (_request, reply) =>
    answerPage(reply, { title: 'Events', main: eventsOnce(), isText: true }),
  );
}

/** The page as HTML. In the repository the references stand beside it, here at the root. */
function renderEvents(): string {
  return marked.parse(renderEventsPage().replace(/\]\((\w+\.json)\)/g, '](/$1)'), { async: false });
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
