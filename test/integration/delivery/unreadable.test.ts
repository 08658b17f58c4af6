import { connect as connectNats, headers } from '@nats-io/transport-node';
import { linkHeader, subjects } from '@relay/bus';
import { it, onTestFinished } from 'vitest';
import { AgentSocket } from '../../support/agent-socket.ts';
import { registerAgent, startTestDelivery, type TestAgent } from '../../support/delivery.ts';
import { fillInbox } from '../../support/fill-inbox.ts';
import { natsForTest } from '../../support/test-bus.ts';

it('an inbox with a message that cannot be read holds up no other agent', async () => {
  const nats = await natsForTest();
  const delivery = await startTestDelivery(nats.url);
  onTestFinished(() => delivery.close());
  const open = (agent: TestAgent) =>
    AgentSocket.open({ url: delivery.url, token: agent.token, acknowledges: true });
  const [spoiled, sound] = [
    await registerAgent(delivery.registry),
    await registerAgent(delivery.registry),
  ];
  const before = await fillInbox(delivery.bus, spoiled.id, 80);
  const link = headers();
  link.set(linkHeader, '80');
  const connection = await connectNats({ servers: nats.url });
  onTestFinished(() => connection.close());
  connection.publish(subjects.inbox(spoiled.id), 'not events', { headers: link });
  await connection.flush();
  const spoiledSocket = await open(spoiled);
  await spoiledSocket.untilEvents(before.length);
  const expected = await fillInbox(delivery.bus, sound.id, 80);
  const soundSocket = await open(sound);
  await soundSocket.untilEvents(expected.length);
  await Promise.all([spoiledSocket.close(), soundSocket.close()]);
});
