import { connect as connectNats } from '@nats-io/transport-node';
import { decodeInbox, subjects } from '@relay/bus';
import {
  agentIdSchema,
  stuckPageSchema,
  stuckRedriveAnswerSchema,
  taskIdSchema,
} from '@relay/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { adminToken } from '../../support/gateway.ts';
import { message } from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const path = '/v1/stuck-messages';

describe.each([
  { isSplit: false, where: 'in one process' },
  { isSplit: true, where: 'asked over NATS' },
])('messages that were set aside, $where', ({ isSplit }) => {
  const relay = useGateway({ isSplit });
  const asAdministrator = (method: string, to: string) => {
    if (isSplit) serveOverNats();
    return relay.client.send(method, to, { token: adminToken });
  };
  let isServed = false;
  const serveOverNats = () => {
    if (isServed) return;
    isServed = true;
    const { bus, delivery } = relay.gateway;
    bus.serveDeliveryCommands(delivery.commands, () => undefined);
  };
  const list = async (query = '') => {
    const { status, text } = await asAdministrator('GET', path + query);
    expect([status, text]).toEqual([200, text]);
    return stuckPageSchema.parse(JSON.parse(text));
  };
  const redrive = (id = '') => asAdministrator('POST', `${path}/${id}/redrive`);
  const redriven = async (id?: string) => {
    const answer = await redrive(id);
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    return stuckRedriveAnswerSchema.parse(JSON.parse(answer.text)).outcome;
  };
  const setAside = async (subject: string, sequence: number) => {
    await relay.gateway.bus.deliveries.setAside('fan-out-tasks', { subject, sequence });
  };

  /** A task whose change was heard of once, and where it stands. */
  async function heardTask() {
    const body = { to: relay.worker.handle, message: message() };
    const { token } = relay.planner;
    const { body: answer } = await relay.client.send('POST', '/v1/tasks', { token, body });
    const subject = subjects.task(taskIdSchema.parse(answer.task.id));
    const stored = await relay.gateway.bus.tasks.stream.readLast(subject);
    await expect.poll(async () => (await heard())?.lane).toBe(answer.task.id);
    return { subject, sequence: stored?.sequence ?? 0 };
  }

  /** What the worker heard last. */
  async function heard() {
    const last = await relay.gateway.bus.inbox.readLast(agentIdSchema.parse(relay.worker.id));
    return last && decodeInbox(last).events.at(-1);
  }

  it('are listed and can be redriven: the same event comes again, behind the others', async () => {
    const { subject, sequence } = await heardTask();
    const first = await heard();
    await heardTask();
    await setAside(subject, sequence);
    const { messages } = await list();
    expect(messages).toEqual([
      {
        id: `fan-out-tasks_${sequence}`,
        reader: 'fan-out-tasks',
        sequence,
        subject,
        set_aside_at: expect.any(String),
      },
    ]);
    expect(await redriven(messages[0]?.id)).toBe('redriven');
    const again = await heard();
    expect([again?.eventId, again?.bytes]).toEqual([first?.eventId, first?.bytes]);
    expect((await list()).messages).toEqual([]);
    expect((await redrive(messages[0]?.id)).status).toBe(404);
    await heardTask();
  });

  it('stay where they still cannot be read, and are gone where their message is', async () => {
    const nats = await connectNats({ servers: relay.nats.url });
    onTestFinished(() => nats.close());
    const subject = subjects.task(taskIdSchema.parse('00000000-0000-4000-8000-000000000001'));
    nats.publish(subject, 'no change');
    await nats.flush();
    await expect
      .poll(async () => (await list()).messages.map((each) => each.subject))
      .toEqual([subject]);
    const [stuck] = (await list()).messages;
    const refused = await redrive(stuck?.id);
    expect([refused.status, refused.text]).toEqual([409, refused.text]);
    expect((await list()).messages).toEqual([stuck]);
    await relay.gateway.bus.tasks.stream.remove(stuck?.sequence ?? 0);
    expect(await redriven(stuck?.id)).toBe('gone');
    expect((await list()).messages).toEqual([]);
  });

  it('are listed in pages, the oldest first', async () => {
    for (const sequence of [900, 700, 800]) await setAside('task.0.x', sequence);
    const first = await list('?page_size=2');
    const rest = await list(`?page_size=2&page_token=${first.next_page_token}`);
    const pages = [first, rest].map(({ messages }) => messages.map(({ sequence }) => sequence));
    expect([...pages, rest.next_page_token]).toEqual([[900, 700], [800], '']);
    for (const { id } of [...first.messages, ...rest.messages]) await redrive(id);
    for (const query of ['?page_token=x', '?page_size=0', '?order=asc']) {
      expect((await asAdministrator('GET', path + query)).status).toBe(400);
    }
  });

  it.each(['x', 'fan-out-tasks_0', 'fan-out-tasks_77', 'nobody_1', 'a.b_1'])(
    'are not found by the id %s',
    async (id) => {
      expect((await redrive(id)).status).toBe(404);
    },
  );
});
