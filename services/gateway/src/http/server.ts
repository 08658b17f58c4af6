import type { Refusal } from '@relay/protocol';
import type { Config, Logger } from '@relay/runtime';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { callerForm } from './caller-form.ts';
import { answerClientError } from './client-errors.ts';
import type { Connections } from './connections.ts';
import type { InFlight } from './in-flight.ts';
import { negotiatedMediaType } from './media-types.ts';
import { refusalOf, toErrorAnswer } from './refusals.ts';
import { logRequest } from './request-log.ts';
import { beginRecord } from './request-record.ts';

/** Milliseconds in which a request must have arrived whole. */
const slowestRequest = 60_000;

export interface ServerOptions {
  readonly config: Config;
  readonly logger: Logger;
  readonly inFlight: InFlight;
  readonly connections: Connections;
}

/** The HTTP server without its routes: bodies as bytes, errors in the caller's form, one log line a request. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { config, inFlight, connections } = options;
  const server = fastify({
    bodyLimit: config.bodyLimitBytes,
    trustProxy: config.trustProxy,
    requestTimeout: slowestRequest,
    forceCloseConnections: true,
    return503OnClosing: false,
    routerOptions: { ignoreTrailingSlash: true },
    clientErrorHandler: answerClientError,
    // Some clients write the colon of `message:send` so.
    rewriteUrl: ({ url = '' }) => url.replace(/^([^?]*\/message)%3A/i, '$1:'),
    // A path that cannot be decoded names nothing.
    frameworkErrors: (_error, request, reply) => {
      observe(request, reply, options);
      void refuse(request, reply, { error: 'notFound' }, config);
    },
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(null, body);
  });
  server.decorateRequest('record');
  connections.watch(server.server);
  server.addHook('onRequest', (request, reply, done) => {
    observe(request, reply, options);
    const isTaken = connections.takes(request.socket);
    if (inFlight.isDraining || !isTaken) reply.header('connection', 'close');
    done(inFlight.refusalFor(request.routeOptions.url, isTaken));
  });
  server.addHook('preParsing', (request, _reply, body, done) => {
    inFlight.bodies.watch(request, body);
    done(null, body);
  });
  server.addHook('preHandler', (request, _reply, done) => {
    done(inFlight.work(request));
  });
  answerErrors(server, options);
  return server;
}

function observe(
  request: FastifyRequest,
  reply: FastifyReply,
  { logger, inFlight }: ServerOptions,
): void {
  request.record = beginRecord(request);
  reply.header('x-request-id', request.record.traceId);
  inFlight.begin(reply);
  // Fastify's own onResponse does not come where the client has gone.
  reply.raw.once('close', () => {
    inFlight.end(reply);
    logRequest(logger, request, reply);
  });
}

function answerErrors(server: FastifyInstance, { config, logger }: ServerOptions): void {
  server.setNotFoundHandler((request, reply) =>
    refuse(request, reply, { error: 'notFound' }, config),
  );
  server.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.error === 'internal') {
      logger.error({ err: error, traceId: request.record.traceId }, 'request.failed');
    }
    return refuse(request, reply, refusal, config);
  });
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
  { a2aAuthErrors }: Config,
): FastifyReply {
  const { record, method, url } = request;
  record.error = refusal.error;
  const form = callerForm(method, url);
  const mediaType = negotiatedMediaType(request.headers);
  const { status, headers, body } = toErrorAnswer(refusal, { form, mediaType, ...record });
  const isAuthError = form === 'json-rpc' && refusal.error === 'unauthenticated';
  return (
    reply
      .code(isAuthError ? a2aAuthErrors : status)
      .headers(headers)
      // As bytes: Fastify would add a character set to the media type, and some clients take it literally.
      .send(Buffer.from(body))
  );
}
