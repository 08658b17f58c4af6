import type { StreamResponse, Task } from '../a2a-results.ts';
import type { PushForm } from '../push-configs.ts';
import { encoderV01 } from './v01/encode.ts';
import { encoderV03 } from './v03/encode.ts';

/** An update of a task, and the task after it. */
export interface ToldUpdate {
  readonly response: StreamResponse;
  readonly task: Task;
}

/**
 * Writes an update for a receiver (A2A 1.0 §4.3.3): as a StreamResponse, in 1.0. Before it the whole Task is
 * told, as its specifications and SDKs have it; 0.1 shows history only to who asked for it.
 * @returns JSON
 */
export function encodePushNotification(form: PushForm, { response, task }: ToldUpdate): string {
  switch (form.version) {
    case '1.0':
      return JSON.stringify(response);
    case '0.3':
      return JSON.stringify(encoderV03.task(task));
    case '0.1': {
      const { history: _history, ...shown } = task;
      return JSON.stringify(encoderV01(form.taskName).task(shown));
    }
  }
}

/** The media type of what is written so. */
export function pushMediaType({ version }: PushForm): string {
  return version === '1.0' ? 'application/a2a+json' : 'application/json';
}
