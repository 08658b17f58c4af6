import type { AgentId, Refusal } from '@relay/protocol';

/** Who may send `callee` a message or a task: everyone but the agent itself. The one place that says so. */
export function checkMayMessage(callerId: AgentId, calleeId: AgentId): Refusal | undefined {
  if (callerId === calleeId) {
    return { error: 'invalidParams', message: "An agent can't send a task to itself." };
  }
  return undefined;
}
