import { once } from 'node:events';
import { WebSocket } from 'ws';
import { z } from 'zod';

const targetsSchema = z.tuple([z.object({ webSocketDebuggerUrl: z.string() })]);
const answerSchema = z.object({
  id: z.int(),
  result: z.object({ result: z.object({ value: z.string() }).optional() }),
});
const memorySchema = z.object({ rss: z.number(), heapUsed: z.number(), external: z.number() });
/** Bytes. The heap and what lies outside of it are of the main thread. */
export type Memory = z.infer<typeof memorySchema>;

/** What a process of Node keeps once its garbage is collected. @param port of its inspector */
export async function collectedMemory(port: number): Promise<Memory> {
  const targets = await fetch(`http://127.0.0.1:${port}/json/list`);
  const [{ webSocketDebuggerUrl }] = targetsSchema.parse(await targets.json());
  const socket = new WebSocket(webSocketDebuggerUrl, { perMessageDeflate: false });
  await once(socket, 'open');
  const ask = async (id: number, method: string, params: object) => {
    socket.send(JSON.stringify({ id, method, params }));
    const [answer] = await once(socket, 'message');
    return answerSchema.parse(JSON.parse(String(answer))).result.result?.value;
  };
  // The second time takes what the first one's finalizers let go.
  await ask(1, 'HeapProfiler.collectGarbage', {});
  await ask(2, 'HeapProfiler.collectGarbage', {});
  const expression = 'JSON.stringify(process.memoryUsage())';
  const value = await ask(3, 'Runtime.evaluate', { expression, returnByValue: true });
  socket.close();
  return memorySchema.parse(JSON.parse(value ?? ''));
}
