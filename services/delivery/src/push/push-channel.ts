import { randomUUID } from 'node:crypto';
import { type DeliveryRecord, subjects } from '@relay/bus';
import { isOfTask, viewUpdate } from '@relay/domain';
import { type AgentId, encodePushNotification, pushMediaType } from '@relay/protocol';
import { SealError } from '@relay/runtime';
import type { Place } from '../feed/position.ts';
import type { Channel, DeliveryToSend } from '../webhook/channel.ts';
import { postEvent } from '../webhook/post-event.ts';
import { notOpened, type Sent, toSent } from '../webhook/send-event.ts';
import type { WebhookContext } from '../webhook/webhook-context.ts';
import { inForce, type PushConfigEntry } from './push-config-record.ts';
import { pushHeaders } from './push-secrets.ts';
import type { PushSending } from './push-sending.ts';

type Push = NonNullable<DeliveryRecord['push']>;

/** What an agent has pushed to receivers of one origin: each config is looked up when it is told something. */
export class PushChannel implements Channel {
  readonly isActive = true;
  readonly #context: WebhookContext;
  readonly #sending: PushSending;
  readonly #agentId: AgentId;

  constructor(context: WebhookContext, sending: PushSending, agentId: AgentId) {
    this.#context = context;
    this.#sending = sending;
    this.#agentId = agentId;
  }

  /** Written from the change in TASKS, so that every try has the same bytes. */
  async readBody({ sequence }: Place, { push }: DeliveryRecord): Promise<Uint8Array | undefined> {
    const { tasks } = this.#context.bus;
    const message = await tasks.stream.readAt(sequence);
    if (!push || message?.subject !== subjects.task(push.taskId)) return undefined;
    const recorded = tasks.decode(message);
    if (!isOfTask(recorded)) return undefined;
    const { change, snapshot } = recorded;
    const response = viewUpdate(change, snapshot);
    if (!response) return undefined;
    return Buffer.from(encodePushNotification(push.form, { response, task: snapshot.task }));
  }

  async send({ place, record, body }: DeliveryToSend): Promise<Sent | { kind: 'unwanted' }> {
    const { push, eventId, revision, attemptCount } = record;
    const config = push && (await this.#find(push, place));
    if (!config) return { kind: 'unwanted' };
    const time = { number: attemptCount + 1, startedAt: Date.now() };
    const secrets = this.#open(push, config);
    if (!secrets) return notOpened(time);
    const outcome = await postEvent(this.#context, {
      name: 'push',
      traceId: push.traceId ?? randomUUID().replaceAll('-', ''),
      eventId,
      revision,
      url: config.url,
      headers: {
        ...secrets.headers,
        'content-type': pushMediaType(push.form),
        // A receiver may be told more than once.
        'webhook-id': eventId,
      },
      body,
      ...time,
    });
    const sent = toSent(outcome, secrets.hidden, time);
    // What was deleted meanwhile leaves nothing behind.
    if (sent.kind !== 'delivered' && !(await this.#find(push, place))) return { kind: 'unwanted' };
    return sent;
  }

  /** The next one will say the same, and each is seen as what it is: given up. */
  turnOff(): void {
    // Nothing to turn off.
  }

  /** Undefined where it was deleted, or its agent was. */
  async #find({ taskId }: Push, { index: number }: Place): Promise<PushConfigEntry | undefined> {
    const { store, registry } = this.#sending;
    if (!(await registry.agentById(this.#agentId))) return undefined;
    const record = await store.read(taskId);
    const found = record?.configs.filter((config) => config.number === number) ?? [];
    if (!record || found.length < 2) return found[0];
    // One of them came with a message that may have been refused.
    const task = await this.#context.bus.tasks.read(taskId);
    return inForce(record, task?.snapshot).find((config) => config.number === number);
  }

  #open({ taskId }: Push, config: PushConfigEntry): ReturnType<typeof pushHeaders> | undefined {
    try {
      return pushHeaders(this.#context.sealer, taskId, config);
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }
}
