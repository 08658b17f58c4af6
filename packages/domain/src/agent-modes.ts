import type { AgentRecord } from '@relay/protocol';

interface AgentModes {
  readonly input: readonly string[];
  readonly output: readonly string[];
}

const ofTasks: AgentModes = {
  input: ['text/plain', 'application/json'],
  output: ['text/plain', 'application/json'],
};
const ofChats: AgentModes = {
  input: ['text/plain', 'application/a2ui+json'],
  output: ['text/plain', 'application/json', 'application/a2ui+json'],
};

/** All media types that an agent takes and gives: those of tasks or of chats, and its own. */
export function modesOf(
  agent: Pick<AgentRecord, 'accepts_tasks' | 'input_modes' | 'output_modes'>,
): { readonly input: string[]; readonly output: string[] } {
  const { input, output } = agent.accepts_tasks ? ofTasks : ofChats;
  return {
    input: [...new Set([...input, ...agent.input_modes])],
    output: [...new Set([...output, ...agent.output_modes])],
  };
}
