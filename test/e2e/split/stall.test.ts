import { beforeAll, describe, expect, it, vi } from 'vitest';
import { AgentSocket } from '../../support/agent-socket.ts';
import { openSocket, useCluster } from '../../support/cluster-fixture.ts';
import { FollowUpChains } from '../../support/follow-up-chains.ts';
import {
  type Answer,
  agentMessage,
  message,
  type TestStream,
} from '../../support/gateway-client.ts';

const relay = useCluster();
const chainCount = 24;

describe('one of each service stands still for longer than its leases, in the middle of tasks', () => {
  let chains: FollowUpChains;
  let atWoken: AgentSocket;
  let atOther: AgentSocket;
  /** Of an agent whose sockets at two replicas take different types. */
  let narrowAtWoken: AgentSocket;
  let wideAtOther: AgentSocket;
  let call: Promise<Answer>;
  let stream: TestStream;

  beforeAll(async () => {
    const { clients, planner, worker, cluster } = relay;
    const { services } = cluster;
    const stopped = [services.gateway[0], services['task-manager'][0], services.delivery[0]];
    const url = `${services.delivery[0].url.replace('http', 'ws')}/v1/websocket`;
    atWoken = await AgentSocket.open({ url, token: worker.token, acknowledges: true });
    atOther = await openSocket(clients[1], worker, { acknowledges: true });
    const chooser = await clients[1].createAgent();
    const query = '?subscribed_events=task.message';
    narrowAtWoken = await AgentSocket.open({ url, token: chooser.token, query });
    wideAtOther = await openSocket(clients[1], chooser);
    const sent = { message: message() };
    const request = { from: planner, to: worker };
    call = clients[0].rpc({ ...request, method: 'SendMessage', params: sent });
    stream = await clients[0].stream({ ...request, method: 'SendStreamingMessage', params: sent });
    const taskId = (await stream.next())?.data.result?.task?.id;
    chains = new FollowUpChains(clients[1], planner, worker, chainCount);
    const all = () => chains.acknowledged + 1;
    const moreChanges = async (count: number) => {
      const due = chains.acknowledged + count;
      await vi.waitUntil(() => chains.acknowledged > due, { timeout: 30_000 });
    };
    await moreChanges(5 * chainCount);

    for (const service of stopped) service.pause();
    await moreChanges(chainCount);
    const complete = async () =>
      clients[1].send('POST', `/v1/tasks/${taskId}/status`, {
        token: worker.token,
        body: { state: 'COMPLETED', message: agentMessage('done') },
      });
    // Every try may go to the task-manager that stands still.
    await vi.waitUntil(async () => (await complete()).status !== 503, { timeout: 60_000 });
    // What was stored since comes only from an owner that took over.
    await atOther.untilEvents(all());
    const pings = setInterval(() => wideAtOther.send({ type: 'ping' }), 200);
    await wideAtOther.closed;
    clearInterval(pings);
    for (const service of stopped) service.resume();

    await moreChanges(5 * chainCount);
    await chains.stop();
    await Promise.all([atOther.untilEvents(all()), atWoken.untilEvents(all())]);
  });

  it('keeps the order of each task through the takeover, and appends nothing again on waking', () => {
    const texts = atOther.events.map(({ body }) => /"text":"([^"]+)"/.exec(body)?.[1] ?? '');
    const byChain = chains.texts.map((_, chain) =>
      texts.filter((text) => text.startsWith(`chain ${chain},`)),
    );
    expect(byChain).toEqual(chains.texts);
    expect(new Set(atOther.events.map(({ eventId }) => eventId)).size).toBe(texts.length);
  });

  it('sends on waking what it would have sent, under the same numbers', () => {
    expect(atWoken.events).toEqual(atOther.events);
  });

  it('counts no longer for the types of an agent, and has its sockets connect again on waking', async () => {
    for (const socket of [wideAtOther, narrowAtWoken]) {
      expect([await socket.closed, socket.disconnectReason]).toEqual([1012, 'restart']);
    }
  });

  it('answers and streams on waking what happened meanwhile', async () => {
    const { status, body } = await call;
    expect([status, body.result.task.status.state]).toEqual([200, 'TASK_STATE_COMPLETED']);
    expect((await stream.rest()).map(({ id }) => id)).toEqual(['2']);
  });

  it('leaves the lists whole', async () => {
    for (const client of relay.clients) {
      const request = { from: relay.planner, to: relay.worker, method: 'ListTasks' };
      const { body } = await client.rpc({ ...request, params: {} });
      expect(body.result.totalSize).toBe(chainCount + 1);
    }
  });
});
