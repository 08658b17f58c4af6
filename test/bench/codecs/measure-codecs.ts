import { type SendMessageResponse, taskIdSchema, timestampAt } from '@relay/protocol';
import { spreadOf } from '../compare/statistics.ts';
import { type Version, versions } from './versions.ts';

export interface CodecCost {
  readonly version: string;
  /** Of one send: from parsed JSON to the canonical form, and from that to what is written as JSON. */
  readonly decodeMicroseconds: number;
  readonly encodeMicroseconds: number;
}

const callsInBatch = 2_000;
const batches = 25;

/** What reading a send and writing its answer cost, beside parsing and printing JSON. */
export function measureCodecs(): CodecCost[] {
  return versions.map(measureVersion);
}

function measureVersion({ name, decode, params }: Version): CodecCost {
  const { encoder } = decode(params);
  const answer = answerTo(name);
  return {
    version: name,
    decodeMicroseconds: cpuOf(() => decode(params)),
    encodeMicroseconds: cpuOf(() => encoder.answer(answer)),
  };
}

/** The new task with its message, as a send at once is answered. */
function answerTo(text: string): SendMessageResponse {
  const id = taskIdSchema.parse('01a0537e-27a7-857c-a614-c28ca730478d');
  const contextId = '01a0537e-27a7-857c-a614-c28ca730478e';
  const parts = [{ text: text.repeat(40) }];
  return {
    task: {
      id,
      contextId,
      status: { state: 'TASK_STATE_SUBMITTED', timestamp: timestampAt(0) },
      history: [{ messageId: 'm', contextId, taskId: id, role: 'ROLE_USER', parts }],
      metadata: { relay: { requester: { handle: 'planner', kind: 'agent' } } },
    },
  };
}

/** CPU of one call: the median of many batches, the first of which compile the code. */
function cpuOf(run: () => unknown): number {
  const costs = Array.from({ length: batches }, () => {
    const before = process.cpuUsage();
    for (let call = 0; call < callsInBatch; call += 1) run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / callsInBatch;
  });
  return spreadOf(costs)?.median ?? Number.NaN;
}
