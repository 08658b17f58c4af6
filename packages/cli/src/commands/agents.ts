import type { Command } from 'commander';
import { z } from 'zod';
import { onRun } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { printList, printOne } from '../output/print.ts';
import { printable } from '../output/table.ts';
import { RelayApi } from '../relay/relay-api.ts';
import { managerTarget } from '../relay/target.ts';
import type { Terminal } from '../terminal.ts';

const agentSchema = z.looseObject({
  id: z.string(),
  handle: z.string(),
  display_name: z.string(),
  subtitle: z.string().nullable(),
  description: z.string().nullable(),
  visibility: z.string(),
  accepts_tasks: z.boolean(),
  owner_id: z.string().nullable(),
  created_at: z.string(),
});
type Agent = z.infer<typeof agentSchema>;

export const agentPages = { items: 'agents', schema: agentSchema } as const;

const profileShape = {
  displayName: z.string().optional(),
  subtitle: z.string().optional(),
  description: z.string().optional(),
  visibility: z.string().optional(),
  owner: z.string().optional(),
};
type Profile = z.output<z.ZodObject<typeof profileShape>>;

export function addAgentCommands(program: Command, terminal: Terminal): void {
  const agents = program
    .command('agents')
    .summary('list, register, change and delete agents')
    .description('Agents, for the administrator and for owners.');
  addReadCommands(agents, terminal);
  addChangeCommands(agents, terminal);
}

function addReadCommands(agents: Command, terminal: Terminal): void {
  const list = agents.command('list').description('All agents that you manage, by handle.');
  onRun(list, terminal, {}, async ({ options }) => {
    const api = new RelayApi(managerTarget(terminal, options));
    printList({ terminal, options }, await api.list('/v1/agents', agentPages), [
      { title: 'handle', of: ({ handle }) => handle },
      { title: 'name', of: (agent) => agent.display_name },
      { title: 'takes tasks', of: (agent) => agent.accepts_tasks },
      { title: 'visibility', of: ({ visibility }) => visibility },
      { title: 'owner', of: (agent) => agent.owner_id },
      { title: 'since', of: (agent) => agent.created_at },
    ]);
  });
  const show = agents
    .command('show')
    .argument('<handle>', 'of the agent')
    .description('One agent.');
  onRun(show, terminal, {}, async ({ args: [handle = ''], options }) => {
    const api = new RelayApi(managerTarget(terminal, options));
    const { agent } = await api.get(agentPath(handle), z.object({ agent: agentSchema }));
    printOne({ terminal, options }, agent, textOf(agent));
  });
}

function addChangeCommands(agents: Command, terminal: Terminal): void {
  const create = withProfile(
    agents
      .command('create')
      .argument('<handle>', 'by which others will know it')
      .description('Registers an agent and prints its token, which is shown this once.'),
  );
  onRun(create, terminal, profileShape, async ({ args: [handle = ''], options }) => {
    const api = new RelayApi(managerTarget(terminal, options));
    const schema = z.object({ agent: agentSchema, token: z.string() });
    const body = { handle, ...fieldsOf(options) };
    const created = await api.change('POST', '/v1/agents', { body, schema });
    printOne({ terminal, options }, created, created.token);
  });
  const update = withProfile(
    agents
      .command('update')
      .argument('<handle>', 'of the agent')
      .description('Changes what is named of an agent.'),
  );
  onRun(update, terminal, profileShape, async ({ args: [handle = ''], options }) => {
    const body = fieldsOf(options);
    if (Object.keys(body).length === 0) {
      throw new CommandError(exitCodes.usage, 'name at least one thing to change');
    }
    const api = new RelayApi(managerTarget(terminal, options));
    const schema = z.object({ agent: agentSchema });
    const { agent } = await api.change('PATCH', agentPath(handle), { body, schema });
    printOne({ terminal, options }, agent, textOf(agent));
  });
  const remove = agents
    .command('delete')
    .argument('<handle>', 'of the agent')
    .option('--free-handle', 'let another agent have the handle')
    .description('Deletes an agent and revokes its tokens. Its tasks stay as they are.');
  const shape = { freeHandle: z.boolean().default(false) };
  onRun(remove, terminal, shape, async ({ args: [handle = ''], options }) => {
    const api = new RelayApi(managerTarget(terminal, options));
    const path = `${agentPath(handle)}${options.freeHandle ? '?free_handle=true' : ''}`;
    await api.change('DELETE', path, { schema: z.unknown() });
    printOne({ terminal, options }, { deleted: handle }, `${handle} is deleted`);
  });
}

export function agentPath(handle: string): string {
  return `/v1/agents/${encodeURIComponent(handle.replace(/^@/, ''))}`;
}

function withProfile(command: Command): Command {
  return command
    .option('--display-name <name>', 'what people read')
    .option('--subtitle <text>', 'what it is, in a few words')
    .option('--description <text>', 'what it does')
    .option('--visibility <visibility>', 'public or unlisted')
    .option('--owner <id>', 'the organization or person that it belongs to');
}

function fieldsOf({ displayName, subtitle, description, visibility, owner }: Profile) {
  const fields = { display_name: displayName, subtitle, description, visibility, owner_id: owner };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function textOf(agent: Agent): string {
  const lines: [string, string | null][] = [
    ['handle', agent.handle],
    ['id', agent.id],
    ['name', agent.display_name],
    ['subtitle', agent.subtitle],
    ['description', agent.description],
    ['visibility', agent.visibility],
    ['takes tasks', agent.accepts_tasks ? 'yes' : 'no'],
    ['owner', agent.owner_id],
    ['since', agent.created_at],
  ];
  const width = Math.max(...lines.map(([title]) => title.length));
  return lines
    .map(([title, value]) => `${title.padEnd(width)}  ${printable(value ?? '-')}`)
    .join('\n');
}
