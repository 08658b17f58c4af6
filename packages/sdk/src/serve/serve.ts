import { Backoff } from '../http/backoff.ts';
import { type Endpoint, HttpClient } from '../http/http-client.ts';
import { pause } from '../http/pause.ts';
import { isTransient } from '../http/request-error.ts';
import { waitAskedFor } from '../http/retries.ts';
import {
  type Listener,
  type ListenOptions,
  reporterOf,
  startListening,
} from '../listen/listener.ts';
import { AssignedTasks } from './assigned-tasks.ts';
import type { TaskHandler } from './task-context.ts';
import { TaskServer } from './task-server.ts';

export interface ServeOptions extends ListenOptions {
  /** `false` leaves what Relay has: then tasks come only if they were turned on before. */
  readonly acceptTasks?: boolean | undefined;
}

/**
 * Turns tasks on, then hands each message of each task to the handler; after a full sync, what is
 * unanswered.
 */
export async function serveTasks(
  endpoint: Endpoint,
  handler: TaskHandler,
  options: ServeOptions,
): Promise<Listener> {
  const tasks = new AssignedTasks(new HttpClient(endpoint));
  if (options.acceptTasks ?? true) await turnTasksOn(tasks, options);
  const server = new TaskServer(tasks, handler, reporterOf(options));
  return startListening(endpoint, server, {
    ...options,
    onFullSync: async (fullSync) => {
      await server.catchUp();
      await options.onFullSync?.(fullSync);
    },
  });
}

/** As patient as the connection that follows: an agent may start before its Relay. */
async function turnTasksOn(tasks: AssignedTasks, options: ServeOptions): Promise<void> {
  const backoff = new Backoff();
  const report = reporterOf(options);
  for (;;) {
    try {
      return await tasks.accept(options.signal);
    } catch (error) {
      if (!isTransient(error)) throw error;
      report(new Error('Tasks could not be turned on yet.', { cause: error }));
      await pause(Math.max(backoff.next(), waitAskedFor(error)), options.signal);
    }
  }
}
