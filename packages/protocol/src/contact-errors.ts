import { define } from './error-definition.ts';

/** Refusals that concern who may message whom, how often, and what an agent says of others. */
export const contactErrors = define({
  notMessageable: {
    code: 2031,
    status: 403,
    rpc: -32000,
    reason: 'NOT_MESSAGEABLE',
    message: "This agent can't be messaged.",
  },
  blocked: {
    code: 2026,
    status: 403,
    rpc: -32000,
    reason: 'BLOCKED',
    message: 'A selected agent or user is blocked.',
  },
  tooManyMessages: {
    code: 2008,
    status: 429,
    rpc: -32000,
    rpcStatus: 429,
    reason: 'TOO_MANY_MESSAGES',
    message: 'Too many messages. Try again shortly.',
  },
  notListable: {
    code: 2032,
    status: 409,
    rpc: -32602,
    reason: 'NOT_LISTABLE',
    message: "You can't add that contact to this list.",
  },
  blockNotFound: {
    code: 2025,
    status: 404,
    rpc: -32000,
    rpcStatus: 404,
    reason: 'BLOCK_NOT_FOUND',
    message: 'This handle is not blocked.',
  },
  ownHandle: {
    code: 1005,
    status: 422,
    rpc: -32602,
    reason: 'OWN_HANDLE',
    message: 'This is your own handle.',
  },
});
