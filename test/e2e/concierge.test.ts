import type { Message, SendMessageResult } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectA2aClient, messageRequest } from '../support/a2a-client.ts';
import { TestRelay } from '../support/relay.ts';

let relay: TestRelay;

beforeAll(async () => {
  relay = await TestRelay.start();
});

afterAll(() => relay?.stop());

function messageOf(result: SendMessageResult): Message {
  if ('status' in result) throw new Error('the answer is a Task');
  return result;
}

const textOf = ({ parts }: Message) =>
  parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join();

describe.each(['JSONRPC', 'HTTP+JSON'] as const)(
  'an agent that takes no tasks, asked by an unmodified @a2a-js/sdk client over %s',
  (binding) => {
    let client: Client;

    beforeAll(async () => {
      const { agents } = await relay.credentials();
      client = await connectA2aClient(`${relay.url}/concierge/`, agents.planner, { binding });
    });

    it('answers with a Message, each from one chat', async () => {
      const first = messageOf(await client.sendMessage(messageRequest('A table for two')));
      expect(textOf(first)).toContain('"A table for two"');
      const second = messageOf(await client.sendMessage(messageRequest('At eight')));
      expect(textOf(second)).toContain('"At eight"');
      expect(second.contextId).toBe(first.contextId);
    });

    it('streams the one Message', async () => {
      const texts: string[] = [];
      for await (const { payload } of client.sendMessageStream(messageRequest('A taxi'))) {
        texts.push(payload?.$case === 'message' ? textOf(payload.value) : String(payload?.$case));
      }
      expect(texts).toEqual([expect.stringContaining('"A taxi"')]);
    });
  },
);
