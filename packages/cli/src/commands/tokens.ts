import type { Command } from 'commander';
import { z } from 'zod';
import { onRun } from '../command.ts';
import { printList, printOne } from '../output/print.ts';
import { RelayApi } from '../relay/relay-api.ts';
import { managerTarget } from '../relay/target.ts';
import type { Terminal } from '../terminal.ts';
import { agentPath } from './agents.ts';

const tokenSchema = z.looseObject({
  id: z.string(),
  name: z.string().nullable(),
  created_at: z.string(),
});

export function addTokenCommands(program: Command, terminal: Terminal): void {
  const tokens = program
    .command('tokens')
    .summary('list, make and revoke the tokens of agents')
    .description('Tokens of agents, for the administrator and for owners.');
  const api = (options: Parameters<typeof managerTarget>[1]) =>
    new RelayApi(managerTarget(terminal, options));
  const list = tokens
    .command('list')
    .argument('<handle>', 'of the agent')
    .description('The tokens of an agent, without the tokens themselves.');
  onRun(list, terminal, {}, async ({ args: [handle = ''], options }) => {
    const path = `${agentPath(handle)}/tokens`;
    const found = await api(options).list(path, { items: 'tokens', schema: tokenSchema });
    printList({ terminal, options }, found, [
      { title: 'id', of: ({ id }) => id },
      { title: 'name', of: ({ name }) => name },
      { title: 'since', of: (token) => token.created_at },
    ]);
  });
  const create = tokens
    .command('create')
    .argument('<handle>', 'of the agent')
    .option('--name <name>', 'by which you will know it again')
    .description('Makes another token of an agent and prints it: it is shown this once.');
  const shape = { name: z.string().optional() };
  onRun(create, terminal, shape, async ({ args: [handle = ''], options }) => {
    const body = options.name === undefined ? {} : { name: options.name };
    const schema = z.looseObject({ token: z.string() });
    const path = `${agentPath(handle)}/tokens`;
    const created = await api(options).change('POST', path, { body, schema });
    printOne({ terminal, options }, created, created.token);
  });
  const revoke = tokens
    .command('revoke')
    .argument('<handle>', 'of the agent')
    .argument('<id>', 'of the token, as `tokens list` shows it')
    .description('Revokes a token: within a second nobody can use it.');
  onRun(revoke, terminal, {}, async ({ args: [handle = '', id = ''], options }) => {
    const path = `${agentPath(handle)}/tokens/${encodeURIComponent(id)}`;
    await api(options).change('DELETE', path, { schema: z.unknown() });
    printOne({ terminal, options }, { revoked: id }, `${id} is revoked`);
  });
}
