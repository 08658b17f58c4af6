import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { block, list, unblock } from '../../support/access-calls.ts';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import { adminToken } from '../../support/gateway.ts';
import { agentMessage, message, type TestAgent } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';
import { addressDialects, restDialect, toldBy } from '../../support/send-dialects.ts';

const relay = useGateway({ config: { sendWaitSeconds: 0.2, streamSeconds: 1 } });

const notMessageable = { code: 2031, message: "This agent can't be messaged." };
const blocked = { code: 2026, message: 'A selected agent or user is blocked.' };

/** How an agent keeps another away, and what that one is told. */
const refusals = {
  'that denies it': {
    refuse: (agent: TestAgent, other: TestAgent) => list(relay.client, agent, other, 'deny'),
    told: notMessageable,
  },
  'that is open to nobody': {
    refuse: async ({ handle }: TestAgent) => {
      const body = { agents_can_message: 'nobody' };
      await relay.client.send('PATCH', `/v1/agents/${handle}`, { token: adminToken, body });
    },
    told: notMessageable,
  },
  'that blocks it': {
    refuse: (agent: TestAgent, other: TestAgent) => block(relay.client, agent, other),
    told: blocked,
  },
  'that it blocks itself': {
    refuse: (agent: TestAgent, other: TestAgent) => block(relay.client, other, agent),
    told: blocked,
  },
};

async function two(profile: Record<string, unknown> = {}): Promise<[TestAgent, TestAgent]> {
  return [await relay.client.createAgent(), await relay.client.createAgent(profile)];
}

/** How many changes there are of all tasks and chats. */
const stored = async () => {
  const { tasks, chats } = relay.gateway.bus;
  return [await tasks.stream.lastSequence(), await chats.stream.lastSequence()];
};

const rest = ({ token }: TestAgent, method: string, path: string, body?: unknown) =>
  relay.client.send(method, path, { token, ...(body === undefined ? {} : { body }) });

const a2a = (from: TestAgent, to: TestAgent, method: string, params: object) =>
  relay.client.rpc({ from, to, method, params });

describe.each(Object.entries(refusals))('an agent %s', (_name, { refuse, told }) => {
  it.each([restDialect, ...addressDialects])(
    'refuses what comes by $name, and nothing is stored',
    async (dialect) => {
      for (const acceptsTasks of [true, false]) {
        const [sender, agent] = await two({ acceptsTasks });
        await refuse(agent, sender);
        const before = await stored();
        const answer = await dialect.send(relay.client, { from: sender, to: agent });
        const refusal = { ...told, status: dialect.refusedStatus, retryAfter: null };
        expect(toldBy(answer)).toEqual(refusal);
        const onForeign = { from: sender, to: agent, taskId: randomUUID() };
        expect(toldBy(await dialect.send(relay.client, onForeign))).toEqual(refusal);
        expect(await stored()).toEqual(before);
      }
    },
  );

  it('takes no more on an open task, which its sender still sees and cancels', async () => {
    const [sender, agent] = await two();
    const sending = { from: sender, to: agent, messageId: randomUUID() };
    const { task } = (await restDialect.send(relay.client, sending)).body;
    await refuse(agent, sender);
    for (const dialect of [restDialect, ...addressDialects]) {
      const answer = await dialect.send(relay.client, { from: sender, to: agent, taskId: task.id });
      expect([dialect.name, toldBy(answer).code]).toEqual([dialect.name, told.code]);
    }
    const { id } = task;
    expect((await a2a(sender, agent, 'GetTask', { id })).body.result.id).toBe(id);
    expect((await a2a(sender, agent, 'ListTasks', {})).body.result.tasks).toHaveLength(1);
    const status = { state: 'WORKING', message: agentMessage('on it') };
    expect((await rest(agent, 'POST', `/v1/tasks/${id}/status`, status)).status).toBe(200);
    const params = { from: sender, to: agent, method: 'SubscribeToTask', params: { id } };
    const stream = await relay.client.stream(params);
    expect((await stream.next())?.data.result?.task?.id).toBe(id);
    stream.disconnect();
    const canceled = await a2a(sender, agent, 'CancelTask', { id });
    expect(canceled.body.result.status.state).toBe('TASK_STATE_CANCELED');
  });

  it('answers a message that it has taken before when that is sent again', async () => {
    const [sender, agent] = await two();
    const messageId = randomUUID();
    const again = { from: sender, to: agent, messageId };
    const { task } = (await restDialect.send(relay.client, again)).body;
    const followUp = { from: sender, to: agent, taskId: task.id, messageId: randomUUID() };
    await restDialect.send(relay.client, followUp);
    await refuse(agent, sender);
    const before = await stored();
    for (const sending of [again, followUp]) {
      const repeated = await restDialect.send(relay.client, sending);
      expect([repeated.status, repeated.body.task.id]).toEqual([200, task.id]);
    }
    const params = { message: { ...message(), messageId } };
    const atAddress = await a2a(sender, agent, 'SendMessage', params);
    expect(atAddress.body.result.task.id).toBe(task.id);
    const other = await relay.client.createAgent();
    await refuse(agent, other);
    const byOther = { from: other, to: agent, messageId, taskId: task.id };
    expect(toldBy(await restDialect.send(relay.client, byOther)).code).toBe(told.code);
    expect(await stored()).toEqual(before);
  });

  it('begins no chat, of two or more, and is added to none', async () => {
    const [sender, agent] = await two();
    const other = await relay.client.createAgent();
    const trio = [other, await relay.client.createAgent()];
    const group = chatBody(await messageAgents(relay.client, sender, trio)).chat_id;
    await refuse(agent, sender);
    const before = await stored();
    const chat = (to: readonly TestAgent[]) => ({
      from: sender.handle,
      to: to.map(({ handle }) => handle),
      message: textMessage('hello'),
    });
    const answers = [
      await messageAgents(relay.client, sender, [agent]),
      await messageAgents(relay.client, sender, [other, agent]),
      await rest(sender, 'POST', '/v1/chats', chat([agent])),
      await rest(sender, 'POST', '/v1/chats', chat([agent, other])),
      await rest(sender, 'POST', `/v1/chats/${group}/participants`, { handle: agent.handle }),
    ];
    for (const answer of answers) {
      expect(toldBy(answer)).toEqual({ ...told, status: 403, retryAfter: null });
    }
    expect(await stored()).toEqual(before);
  });

  it('is asked before anything else of the message', async () => {
    const [sender, agent] = await two({ input_modes: ['image/png'] });
    await refuse(agent, sender);
    const parts = [{ raw: 'eA==', mediaType: 'image/gif' }];
    const body = { to: agent.handle, message: { ...message(), parts } };
    expect(toldBy(await rest(sender, 'POST', '/v1/tasks', body)).code).toBe(told.code);
  });
});

describe('a chat that is there', () => {
  it.each([
    ['denied', refusals['that denies it'].refuse],
    ['open to nobody', refusals['that is open to nobody'].refuse],
  ])('goes on when its other side is %s', async (_name, refuse) => {
    const [sender, agent] = await two();
    const { chat_id } = chatBody(await messageAgents(relay.client, sender, [agent]));
    await refuse(agent, sender);
    const more = chatBody(await messageAgents(relay.client, sender, [agent]));
    expect(more).toMatchObject({ chat_id, created_new_chat: false });
    expect(more.message.delivery_status).toBe('delivered');
    const path = `/v1/chats/${chat_id}/messages`;
    const third = await rest(sender, 'POST', path, { message: textMessage('third') });
    expect(third.status).toBe(202);
    const history = await rest(agent, 'GET', path);
    const { messages }: { readonly messages: readonly unknown[] } = JSON.parse(history.text);
    expect(messages).toHaveLength(3);
    const atAddress = await a2a(sender, agent, 'SendMessage', { message: message() });
    expect(toldBy(atAddress).code).toBe(2031);
  });

  it('says of a member who it is, whatever stands between', async () => {
    const [sender, agent] = await two();
    const other = await relay.client.createAgent();
    const group = chatBody(await messageAgents(relay.client, sender, [agent, other])).chat_id;
    await block(relay.client, agent, sender);
    const path = `/v1/chats/${group}/participants`;
    const added = await rest(sender, 'POST', path, { handle: agent.handle });
    expect([added.status, added.body.error.code]).toEqual([409, 1005]);
  });
});

describe('a refusal', () => {
  it('ends with the block', async () => {
    const [sender, agent] = await two();
    await block(relay.client, agent, sender);
    const send = async () =>
      toldBy(await restDialect.send(relay.client, { from: sender, to: agent })).status;
    expect(await send()).toBe(403);
    await unblock(relay.client, agent, sender);
    expect(await send()).toBe(200);
  });

  it('comes after the token and the handle were checked', async () => {
    const [sender, agent] = await two();
    await block(relay.client, agent, sender);
    const unknown = { from: sender, to: { handle: 'no_such_agent' } };
    for (const dialect of [restDialect, ...addressDialects]) {
      const anonymous = await dialect.send(relay.client, { from: { token: 'x' }, to: agent });
      const nobody = await dialect.send(relay.client, unknown);
      const codes = [toldBy(anonymous), toldBy(nobody)].map(({ status, code }) => [status, code]);
      expect([dialect.name, codes]).toEqual([
        dialect.name,
        [
          [401, 2004],
          [404, 2001],
        ],
      ]);
    }
  });
});
