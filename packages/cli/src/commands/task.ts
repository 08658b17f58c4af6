import type { Command } from 'commander';
import { z } from 'zod';
import { onRun } from '../command.ts';
import { printList } from '../output/print.ts';
import { RelayApi } from '../relay/relay-api.ts';
import { agentTarget, managerTarget } from '../relay/target.ts';
import type { Terminal } from '../terminal.ts';
import { agentPath } from './agents.ts';
import { shortState } from './send.ts';

const changeSchema = z.looseObject({
  id: z.string(),
  revision: z.int(),
  type: z.string(),
  state: z.string(),
  at: z.string(),
  trace_id: z.string(),
  message_id: z.string().nullable(),
  artifact_id: z.string().nullable(),
});

export function addTaskCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('task')
    .argument('<id>', 'of the task')
    .option('--agent <handle>', 'one of its two agents, for who manages that agent')
    .summary('show what became of a task, step by step')
    .description(
      'Shows the changes of a task, the first one first. Without `--agent` it is asked as an agent that is a side of the task.',
    );
  onRun(
    command,
    terminal,
    { agent: z.string().optional() },
    async ({ args: [id = ''], options }) => {
      const { agent } = options;
      const target = agent === undefined ? agentTarget : managerTarget;
      const base = agent === undefined ? '/v1' : agentPath(agent);
      const api = new RelayApi(target(terminal, options));
      const path = `${base}/tasks/${encodeURIComponent(id)}/changes`;
      const pages = { items: 'changes', schema: changeSchema, query: { page_size: 100 } };
      const changes = (await api.list(path, pages)).toReversed();
      let before: string | undefined;
      printList({ terminal, options }, changes, [
        { title: '#', of: ({ revision }) => revision },
        { title: 'at', of: ({ at }) => at },
        {
          title: 'after',
          of: ({ at }) => {
            const passed = before === undefined ? null : Date.parse(at) - Date.parse(before);
            before = at;
            return passed === null ? null : `+${passed / 1_000} s`;
          },
        },
        { title: 'change', of: ({ type }) => type },
        { title: 'state', of: ({ state }) => shortState(state) },
        { title: 'about', of: (change) => change.artifact_id ?? change.message_id },
        { title: 'request', of: (change) => change.trace_id },
      ]);
    },
  );
}
