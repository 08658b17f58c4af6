import { describe, expect, it } from 'vitest';
import { chatBody, messageAgents, textMessage } from '../../support/chat-calls.ts';
import { type ChatListener, useListening } from '../../support/chat-listening.ts';
import {
  agentMessage,
  atOnce,
  message,
  type RpcCall,
  type TestAgent,
} from '../../support/gateway-client.ts';
import { useGateway } from '../../support/gateway-fixture.ts';

const relay = useGateway({ config: { sendWaitSeconds: 1 } });
/** A call that waits when it should not outlasts its test. */
const patient = useGateway({ config: { sendWaitSeconds: 60 } });
const listenTo = useListening(() => patient.nats);
const listenToImpatient = useListening(() => relay.nats);

type Relay = typeof relay;

/** A planner, an agent that takes no tasks, their chat, and what both hear. */
async function pair(at: Relay = patient) {
  const { client } = at;
  const listen = at === patient ? listenTo : listenToImpatient;
  const [planner, concierge] = [await client.createAgent(), await newConcierge(at)];
  const { chat_id: chatId } = chatBody(await messageAgents(client, concierge, [planner], 'Hello.'));
  const [hearsPlanner, hears] = [await listen(planner), await listen(concierge)];
  const rpc = async (method: string, params: RpcCall['params']) =>
    (await client.rpc({ from: planner, to: concierge, method, params })).body;
  const post = (from: TestAgent, path: string, body: unknown) =>
    client.send('POST', path, { token: from.token, body });
  const say = async (from: TestAgent, content: object) =>
    chatBody(await post(from, `/v1/chats/${chatId}/messages`, { message: content })).message.id;
  return {
    planner,
    concierge,
    chatId,
    hears,
    hearsPlanner,
    rpc,
    say,
    send: (sent: object = message()) => rpc('SendMessage', { message: sent }),
    work: (taskId: string, what: string, body: unknown) =>
      post(concierge, `/v1/tasks/${taskId}/${what}`, body),
  };
}

const newConcierge = ({ client }: Relay) => client.createAgent({ acceptsTasks: false });

/** What the concierge was asked, as it hears it. */
async function heard(hears: ChatListener, count = 1) {
  const { id, a2a } = await hears.untilReceived(count);
  return { id, taskId: a2a?.task_id ?? 'none' };
}

const named = (value: string, id: string) => textMessage(value, { reply_to: { message_id: id } });
const textOf = ({ result }: { result: { message: { parts: readonly object[] } } }) =>
  result.message.parts;

describe('which reply answers a message', () => {
  it('is not an unnamed one where the sender has written something else since', async () => {
    const { planner, concierge, hears, say, send } = await pair();
    const answering = send();
    const { id } = await heard(hears);
    await say(planner, textMessage('And another thing.'));
    await say(concierge, textMessage('To the other thing.'));
    await say(concierge, named('To the first.', id));
    expect(textOf(await answering)).toEqual([{ text: 'To the first.' }]);
  });

  it('is not the second unnamed one, nor one that names another message', async () => {
    const { planner, concierge, hears, say, send } = await pair();
    const before = await say(planner, textMessage('Before.'));
    await say(concierge, textMessage('Yes?'));
    const answering = send();
    const { id } = await heard(hears, 2);
    await say(concierge, named('To what was before.', before));
    await say(concierge, textMessage('Unnamed, but not the first.'));
    await say(concierge, named('Here.', id));
    expect(textOf(await answering)).toEqual([{ text: 'Here.' }]);
  });

  it('is one of the agent itself', async () => {
    const { planner, concierge, hears, say, send } = await pair();
    const answering = send();
    const { id } = await heard(hears);
    await say(planner, named('Are you there?', id));
    await say(concierge, named('I am.', id));
    expect(textOf(await answering)).toEqual([{ text: 'I am.' }]);
  });
});

describe('a message that is open', () => {
  it('is no task for its sender: not to get, list, cancel, subscribe to or follow up', async () => {
    const { hears, rpc, send, say, concierge } = await pair();
    const answering = send();
    const { taskId } = await heard(hears);
    const calls = [
      await rpc('GetTask', { id: taskId }),
      await rpc('CancelTask', { id: taskId }),
      await rpc('SubscribeToTask', { id: taskId }),
      await rpc('SendMessage', { message: message('more', { taskId }), configuration: atOnce }),
    ];
    expect(calls.map(({ error }) => error.code)).toEqual([-32001, -32001, -32001, -32001]);
    expect((await rpc('ListTasks', {})).result.tasks).toEqual([]);
    await say(concierge, textMessage('yes'));
    expect(textOf(await answering)).toEqual([{ text: 'yes' }]);
  });

  it('is answered by /reply like in the chat, and then by nothing else', async () => {
    const { hears, hearsPlanner, send, work, chatId } = await pair();
    const asked = message();
    const answering = send(asked);
    const { taskId } = await heard(hears);
    const reply = agentMessage('by /reply');
    expect((await work(taskId, 'reply', { message: reply })).status).toBe(200);
    const { message: answer } = (await answering).result;
    expect(answer).toMatchObject({ contextId: chatId, parts: reply.parts, role: 'ROLE_AGENT' });
    expect(answer).not.toHaveProperty('taskId');
    expect((await send(asked)).result.message).toEqual(answer);
    const late = await work(taskId, 'reply', { message: agentMessage('again') });
    expect([late.status, late.body.error.code]).toEqual([409, 2034]);
    await hearsPlanner.untilHeard('task.updated');
  });

  it('becomes a task by an artifact: ordinary from then on, and its callee is not told that it was created', async () => {
    const { hears, hearsPlanner, send, work, rpc, say, concierge, chatId } = await pair();
    const asked = message();
    const answering = send(asked);
    const { id, taskId } = await heard(hears);
    const artifact = { artifactId: 'a', parts: [{ text: 'the plan' }] };
    expect((await work(taskId, 'artifacts', { artifact })).status).toBe(200);
    const { task } = (await answering).result;
    expect(task).toMatchObject({
      id: taskId,
      contextId: chatId,
      artifacts: [{ artifactId: 'a' }],
      history: [{ messageId: asked.messageId, role: 'ROLE_USER', taskId, contextId: chatId }],
    });
    await say(concierge, named('An ordinary message.', id));
    const more = { message: message('more', { taskId, contextId: chatId }), configuration: atOnce };
    expect((await rpc('SendMessage', more)).result.task.history).toHaveLength(2);
    const wrong = { message: message('more', { taskId, contextId: 'other' }) };
    expect((await rpc('SendMessage', wrong)).error.code).toBe(-32602);
    await hears.untilHeard('task.message');
    expect((await work(taskId, 'status', { state: 'COMPLETED' })).status).toBe(200);
    await hearsPlanner.untilHeard('task.updated', 2);
    expect(hears.types).not.toContain('task.created');
    expect((await rpc('ListTasks', {})).result.tasks).toMatchObject([{ id: taskId }]);
    expect((await send(asked)).result.task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  it('is no task for anybody but the agent that it was sent to', async () => {
    const { planner, hears, send, say, concierge } = await pair();
    const answering = send();
    const { taskId } = await heard(hears);
    for (const { token } of [planner, patient.worker]) {
      const path = `/v1/tasks/${taskId}/status`;
      const body = { state: 'WORKING' };
      expect((await patient.client.send('POST', path, { token, body })).status).toBe(404);
    }
    await say(concierge, textMessage('yes'));
    await answering;
  });

  it('meets itself when it is sent again after the agent has turned tasks on', async () => {
    const { hears, rpc, send, say, concierge } = await pair();
    const asked = message();
    const first = send(asked);
    await heard(hears);
    const turnOn = { token: concierge.token, body: { accepts_tasks: true } };
    await patient.client.send('PATCH', '/v1/me', turnOn);
    const again = send(asked);
    const fresh = await rpc('SendMessage', { message: message(), configuration: atOnce });
    expect(fresh.result.task.status.state).toBe('TASK_STATE_SUBMITTED');
    await say(concierge, textMessage('yes'));
    const answers = await Promise.all([first, again]);
    expect(answers.map(textOf)).toEqual([[{ text: 'yes' }], [{ text: 'yes' }]]);
    expect(hears.heard('message.received')).toHaveLength(1);
  });
});

describe('a message that was not answered in time', () => {
  it('is still answered in the chat, which its sender hears as a message', async () => {
    const { hears, hearsPlanner, send, say, concierge } = await pair(relay);
    const asked = message();
    expect((await send(asked)).error.data?.[0]).toMatchObject({ reason: 'DEADLINE_EXCEEDED' });
    const { id } = await heard(hears);
    const heardBefore = hearsPlanner.heard('message.received').length;
    const reply = await say(concierge, named('Late.', id));
    const [event] = (await hearsPlanner.untilHeard('message.received', heardBefore + 1)).slice(-1);
    expect(event).toMatchObject({ data: { id: reply, reply_to: { message_id: id } } });
    expect((await send(asked)).result.message.messageId).toBe(reply);
  });

  it('may still become a task, which its sender hears as one', async () => {
    const { hears, hearsPlanner, send, work } = await pair(relay);
    const asked = message();
    expect((await send(asked)).error.code).toBe(-32603);
    const { taskId } = await heard(hears);
    expect((await work(taskId, 'status', { state: 'WORKING' })).status).toBe(200);
    const [event] = await hearsPlanner.untilHeard('task.updated');
    expect(event).toMatchObject({ data: { task: { id: taskId } } });
    expect((await send(asked)).result.task.id).toBe(taskId);
  });
});
