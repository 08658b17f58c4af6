import { z } from 'zod';

type Handler = (input: unknown) => unknown;

const callSchema = z.object({ call: z.int(), method: z.string(), input: z.unknown().optional() });

/** Makes this process do what its parent asks, as long as the parent lives. */
export function serveCalls(handlers: Readonly<Record<string, Handler>>): void {
  process.on('message', (message) => void answer(handlers, callSchema.parse(message)));
  process.once('disconnect', () => process.exit());
}

async function answer(
  handlers: Readonly<Record<string, Handler>>,
  { call, method, input }: z.infer<typeof callSchema>,
): Promise<void> {
  try {
    const handler = handlers[method];
    if (!handler) throw new Error(`there is no ${method} here`);
    process.send?.({ type: 'done', call, result: await handler(input) });
  } catch (error) {
    process.send?.({ type: 'failed', call, reason: String(error) });
  }
}
