import type { Command } from 'commander';
import { z } from 'zod';
import { onRun } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { printList, printOne } from '../output/print.ts';
import { RelayApi } from '../relay/relay-api.ts';
import { managerTarget } from '../relay/target.ts';
import type { Terminal } from '../terminal.ts';

const path = '/v1/stuck-messages';
const stuckSchema = z.looseObject({
  id: z.string(),
  reader: z.string(),
  sequence: z.int(),
  subject: z.string(),
  set_aside_at: z.string().nullable(),
});
export const stuckPages = { items: 'messages', schema: stuckSchema, query: { page_size: 100 } };

export function addStuckCommands(program: Command, terminal: Terminal): void {
  const stuck = program
    .command('stuck')
    .summary('see and redrive changes that could not be processed')
    .description(
      'Changes that could not be processed and were set aside, so that others go on. For the administrator.',
    );
  const list = stuck.command('list').description('What was set aside, the oldest first.');
  onRun(list, terminal, {}, async ({ options }) => {
    const api = new RelayApi(managerTarget(terminal, options));
    printList({ terminal, options }, await api.list(path, stuckPages), [
      { title: 'id', of: ({ id }) => id },
      { title: 'subject', of: ({ subject }) => subject },
      { title: 'set aside', of: (message) => message.set_aside_at },
    ]);
  });
  const redrive = stuck
    .command('redrive')
    .argument('[ids...]', 'as `stuck list` shows them')
    .option('--all', 'all of them')
    .description(
      'Processes again what was set aside, say after an update of Relay. Its events come behind those that were sent since.',
    );
  onRun(redrive, terminal, { all: z.boolean().default(false) }, async ({ args, options }) => {
    if (options.all === args.length > 0) {
      throw new CommandError(exitCodes.usage, 'name what to redrive, or say --all');
    }
    const api = new RelayApi(managerTarget(terminal, options));
    const ids = options.all ? (await api.list(path, stuckPages)).map(({ id }) => id) : args;
    const outcomes = await Promise.all(ids.map((id) => redriveOne(api, id)));
    const told = outcomes.map(({ id, outcome }) => ({ id, outcome }));
    if (options.all || ids.length > 1) {
      printList({ terminal, options }, told, [
        { title: 'id', of: ({ id }) => id },
        { title: 'outcome', of: ({ outcome }) => outcome },
      ]);
    } else {
      const [first] = told;
      printOne({ terminal, options }, first, first?.outcome ?? '');
    }
    const failed = outcomes.find(({ error }) => error !== undefined);
    if (failed?.error) throw failed.error;
  });
}

async function redriveOne(api: RelayApi, id: string) {
  const schema = z.object({ outcome: z.string() });
  try {
    const target = `${path}/${encodeURIComponent(id)}/redrive`;
    return { id, ...(await api.change('POST', target, { schema })), error: undefined };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { id, outcome: error.message, error };
  }
}
