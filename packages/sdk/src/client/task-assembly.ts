import type { Artifact, Message, StreamResponse, Task, TaskState } from '@relay/protocol';

const finalStates: ReadonlySet<TaskState> = new Set<TaskState>([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);

/** True for a state that nothing follows. */
export function isFinal(state: TaskState): boolean {
  return finalStates.has(state);
}

/** The Task after one more event of its stream; none as long as no Task came. */
export function assemble(task: Task | undefined, event: StreamResponse): Task | undefined {
  if ('task' in event) return event.task;
  if (task === undefined || 'message' in event) return task;
  if ('artifactUpdate' in event) return withArtifact(task, event.artifactUpdate.artifact);
  const { status } = event.statusUpdate;
  return { ...task, status, history: withMessage(task.history ?? [], status.message) };
}

function withArtifact(task: Task, artifact: Artifact): Task {
  const artifacts = task.artifacts ?? [];
  const isSame = ({ artifactId }: Artifact) => artifactId === artifact.artifactId;
  return {
    ...task,
    artifacts: artifacts.some(isSame)
      ? artifacts.map((known) => (isSame(known) ? artifact : known))
      : [...artifacts, artifact],
  };
}

function withMessage(
  history: readonly Message[],
  message: Message | undefined,
): readonly Message[] {
  const isNew = message && history.every(({ messageId }) => messageId !== message.messageId);
  return isNew ? [...history, message] : history;
}
