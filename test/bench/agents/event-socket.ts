import { type RawData, WebSocket } from 'ws';
import { z } from 'zod';
import type { Agent } from './orders.ts';

export interface CreatedTask {
  readonly taskId: string;
  readonly messageId: string;
}

const pingEveryMilliseconds = 20_000;

const frameSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('pong') }),
  z.object({
    type: z.literal('event'),
    sequence: z.string(),
    event: z.object({
      event_type: z.literal('task.created'),
      data: z.object({
        task: z.object({
          id: z.string(),
          history: z.tuple([z.object({ messageId: z.string() })]),
        }),
      }),
    }),
  }),
]);

/**
 * Holds an agent's WebSocket and acknowledges every event at once: the least that a receiver does.
 * Resolves when Relay is ready to send. What is not expected here ends the process.
 */
export function receiveTasks(
  { origin, token }: Agent,
  onTask: (task: CreatedTask) => void,
): Promise<void> {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/v1/websocket`, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
  });
  setInterval(() => socket.send('{"type":"ping"}'), pingEveryMilliseconds);
  socket.on('close', (code) => {
    throw new Error(`the WebSocket was closed with ${code}`);
  });
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      const frame = readFrame(data);
      if (frame.type === 'ready') resolve();
      if (frame.type !== 'event') return;
      const { id: taskId, history } = frame.event.data.task;
      onTask({ taskId, messageId: history[0].messageId });
      socket.send(`{"type":"ack","through_sequence":"${frame.sequence}"}`);
    });
  });
}

function readFrame(data: RawData): z.infer<typeof frameSchema> {
  if (!Buffer.isBuffer(data)) throw new Error('A frame came in pieces.');
  const text = data.toString();
  const frame = frameSchema.safeParse(JSON.parse(text));
  if (!frame.success) throw new Error(`Relay sent what was not expected: ${text}`);
  return frame.data;
}
