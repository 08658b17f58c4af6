import { defaultWalkLimits, type RecordedTask, type TaskRecord } from '@relay/bus';
import { isOfTask } from '@relay/domain';
import {
  type AgentId,
  RelayError,
  type TaskChangesPage,
  type TaskChangeView,
  type TaskId,
} from '@relay/protocol';
import { readTaskOfAgent } from './task-reads.ts';

interface HistoryQuery {
  readonly page_size: number;
  readonly page_token?: string | undefined;
}

interface TaskOfAgent {
  readonly taskId: TaskId;
  readonly agentId: AgentId;
}

/**
 * The changes of a task that the agent is a side of, back along their links. What a message in a chat was
 * before it became a task is no change of it.
 * @throws RelayError taskNotFound, invalidParams
 */
export async function readTaskChanges(
  record: TaskRecord,
  { taskId, agentId }: TaskOfAgent,
  { page_size, page_token }: HistoryQuery,
): Promise<TaskChangesPage> {
  const last = await readTaskOfAgent(record, taskId, agentId);
  const changes: TaskChangeView[] = [];
  let bytes = 0;
  let next = page_token ? readToken(page_token) : last.sequence;
  while (next > 0 && changes.length < page_size && bytes < defaultWalkLimits.bytes) {
    const read = await readChangeAt(record, next);
    if (!read) break;
    if (read.change.snapshot.task.id !== taskId) throw noToken();
    changes.push(toView(read.change));
    bytes += read.bytes;
    next = read.change.change.type === 'opened' ? 0 : read.change.previous;
  }
  return { changes, next_page_token: next > 0 && changes.length > 0 ? String(next) : '' };
}

/** Undefined where there is none, or none of a task. */
async function readChangeAt(
  record: TaskRecord,
  sequence: number,
): Promise<{ readonly change: RecordedTask; readonly bytes: number } | undefined> {
  const message = await record.stream.readAt(sequence);
  const change = message && record.decode(message);
  return change && isOfTask(change) ? { change, bytes: message.data.length } : undefined;
}

function readToken(token: string): number {
  if (/^[1-9]\d{0,15}$/.test(token)) return Number(token);
  throw noToken();
}

function noToken(): RelayError {
  const message = 'The page token is not one of this task.';
  return new RelayError({ error: 'invalidParams', message });
}

function toView({ change, snapshot }: RecordedTask): TaskChangeView {
  return {
    id: change.id,
    revision: change.revision,
    type: change.type,
    state: snapshot.task.status.state,
    at: change.at,
    trace_id: change.traceId,
    message_id: 'messageId' in change ? change.messageId : null,
    artifact_id: 'artifactId' in change ? change.artifactId : null,
  };
}
