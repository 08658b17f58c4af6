import { once } from 'node:events';
import { extname } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { type CollectedMetrics, type Config, includeMetrics } from '@relay/runtime';

/** What the thread is given. */
export interface ReadersThreadData {
  readonly natsUrl: string;
  readonly redisUrl: string;
  readonly config: Pick<
    Config,
    'a2aPush' | 'logLevel' | 'natsReplicas' | 'otlpUrl' | 'retentionDays'
  >;
}

/** What the thread is asked: to end, or for its metrics. */
export type ReadersThreadMessage = 'stop' | { readonly metricsTo: MessagePort };

export interface ReadersThread {
  stop(): Promise<void>;
}

/**
 * Starts what reads the record in order and answers nobody, fan-out and projections, on a thread of its own:
 * it speaks with the rest over NATS alone, and would take a sixth of the rate from the thread that answers.
 * Where it fails, the process does.
 */
export async function startReadersThread(workerData: ReadersThreadData): Promise<ReadersThread> {
  const file = new URL(`./readers-main${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(file, { workerData });
  await once(worker, 'message');
  let isStopping = false;
  worker.once('error', (error) => {
    throw error;
  });
  worker.once('exit', (code) => {
    if (!isStopping) throw new Error(`The readers' thread ended with ${code}`);
  });
  const exited = once(worker, 'exit');
  const send = (message: ReadersThreadMessage, ports: MessagePort[] = []) =>
    worker.postMessage(message, ports);
  const excludeMetrics = includeMetrics(() => askForMetrics(send));
  return {
    stop: async () => {
      isStopping = true;
      excludeMetrics();
      send('stop');
      await exited;
    },
  };
}

function askForMetrics(
  send: (message: ReadersThreadMessage, ports: MessagePort[]) => void,
): Promise<CollectedMetrics> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.once('message', (metrics: CollectedMetrics) => {
      port1.close();
      resolve(metrics);
    });
    send({ metricsTo: port2 }, [port2]);
  });
}
