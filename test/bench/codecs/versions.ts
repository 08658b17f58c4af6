import {
  type MethodDecoder,
  methodsV1,
  methodsV01,
  methodsV03,
  operationsV03Http,
} from '@relay/protocol';

/** How one version reads a send, and a send of it. */
export interface Version {
  readonly name: string;
  readonly decode: MethodDecoder;
  readonly params: unknown;
}

/** About what a short instruction to an agent takes. */
const text = 'Summarize the attached notes for the weekly report, please. '.repeat(5);
const messageId = '01a0537e-27a7-757c-a614-c28ca730478d';

const current = {
  message: { messageId, role: 'ROLE_USER', parts: [{ text }] },
  configuration: { returnImmediately: true },
};

export const versions: readonly Version[] = [
  { name: '1.0', decode: methodsV1.SendMessage, params: current },
  {
    name: '0.3, JSON-RPC',
    decode: methodsV03['message/send'],
    params: {
      message: { kind: 'message', messageId, role: 'user', parts: [{ kind: 'text', text }] },
      configuration: { blocking: false },
    },
  },
  {
    name: '0.3, HTTP+JSON',
    decode: operationsV03Http.SendMessage,
    params: {
      message: { messageId, role: 'ROLE_USER', content: [{ text }] },
      configuration: { blocking: false },
    },
  },
  {
    name: '0.1',
    decode: methodsV01['tasks/send'],
    params: { id: messageId, message: { role: 'user', parts: [{ type: 'text', text }] } },
  },
];
