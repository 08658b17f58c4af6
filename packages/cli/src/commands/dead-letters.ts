import type { Command } from 'commander';
import { z } from 'zod';
import type { GlobalOptions } from '../command.ts';
import { onRun, wholeNumber } from '../command.ts';
import { printList, printOne } from '../output/print.ts';
import { Progress } from '../output/progress.ts';
import { RelayApi } from '../relay/relay-api.ts';
import { managerTarget } from '../relay/target.ts';
import type { Terminal } from '../terminal.ts';
import { agentPages, agentPath } from './agents.ts';

const deliverySchema = z.looseObject({
  id: z.string(),
  subscription_id: z.string().nullable(),
  push_config: z.looseObject({ task_id: z.string(), id: z.string() }).nullish(),
  event_type: z.string(),
  attempt_count: z.int(),
  attempts: z.array(
    z.looseObject({ http_status: z.int().nullable(), error_code: z.string().nullable() }),
  ),
  dead_lettered_at: z.string().nullable(),
});

const filterShape = {
  agent: z.string().optional(),
  subscription: z.string().optional(),
  event: z.string().optional(),
};
type Filter = z.output<z.ZodObject<typeof filterShape>> & GlobalOptions;

export function addDeadLetterCommands(program: Command, terminal: Terminal): void {
  const deadLetters = program
    .command('dead-letters')
    .summary('see and redrive events that webhooks and push endpoints did not take')
    .description(
      'Events that a webhook, or a push endpoint of A2A, did not take, however often they were sent. The administrator sees those of all agents, or of one.',
    );
  addListCommand(deadLetters, terminal);
  addRedriveCommand(deadLetters, terminal);
}

function addListCommand(deadLetters: Command, terminal: Terminal): void {
  const command = withFilter(
    deadLetters.command('list').description('What was given up, the newest event first.'),
  );
  onRun(command, terminal, filterShape, async ({ options }) => {
    const api = new RelayApi(managerTarget(terminal, options));
    const found: (z.infer<typeof deliverySchema> & { readonly agent: string })[] = [];
    const query = { status: 'dead_letter', page_size: 100, ...queryOf(options) };
    for (const { name, base } of await placesOf(terminal, api, options)) {
      const pages = { items: 'deliveries', schema: deliverySchema, query };
      const deliveries = await api.list(`${base}/webhook-deliveries`, pages);
      found.push(...deliveries.map((delivery) => ({ agent: name, ...delivery })));
    }
    printList({ terminal, options }, found, [
      { title: 'agent', of: ({ agent }) => agent },
      { title: 'id', of: ({ id }) => id },
      { title: 'to', of: receiverOf },
      { title: 'event', of: (delivery) => delivery.event_type },
      { title: 'attempts', of: (delivery) => delivery.attempt_count },
      { title: 'last answer', of: ({ attempts }) => answerOf(attempts.at(-1)) },
      { title: 'given up', of: (delivery) => delivery.dead_lettered_at },
    ]);
  });
}

function addRedriveCommand(deadLetters: Command, terminal: Terminal): void {
  const command = withFilter(
    deadLetters
      .command('redrive')
      .argument('[id]', 'of one of them, with `--agent`; else all that fit are sent again')
      .option('--dry-run', 'only count them')
      .option('--per-second <count>', 'how many become due each second', wholeNumber(1, 1_000))
      .description('Sends again what was given up, with the same ids and bodies.'),
  );
  const shape = {
    ...filterShape,
    dryRun: z.boolean().default(false),
    perSecond: z.int().optional(),
  };
  onRun(command, terminal, shape, async ({ args: [id], options }) => {
    const api = new RelayApi(managerTarget(terminal, options));
    const total = { matched: 0, redriven: 0 };
    const places = await placesOf(terminal, api, options);
    if (id !== undefined) {
      await redriveOne(api, places, id);
      return printOne({ terminal, options }, { matched: 1, redriven: 1 }, '1 of 1 is sent again');
    }
    const body = {
      status: 'dead_letter',
      dry_run: options.dryRun,
      ...queryOf(options),
      ...(options.perSecond === undefined ? {} : { per_second: options.perSecond }),
    };
    const progress = new Progress(terminal);
    for (const [index, { name, base }] of places.entries()) {
      const schema = z.object({ matched: z.int(), redriven: z.int() });
      const answer = await api.change('POST', `${base}/webhook-deliveries/redrive`, {
        body,
        schema,
      });
      total.matched += answer.matched;
      total.redriven += answer.redriven;
      if (places.length > 1) progress.update(`${index + 1} of ${places.length} agents, ${name}`);
    }
    const done = options.dryRun
      ? `${total.matched} would be sent again`
      : `${total.redriven} of ${total.matched} are sent again`;
    if (places.length > 1) progress.done(`${places.length} agents`);
    printOne({ terminal, options }, total, done);
  });
}

async function redriveOne(api: RelayApi, places: readonly Place[], id: string): Promise<void> {
  const [place] = places;
  const path = `${place?.base ?? '/v1'}/webhook-deliveries/${encodeURIComponent(id)}/redrive`;
  await api.change('POST', path, { schema: z.unknown() });
}

interface Place {
  readonly name: string;
  /** Of the path below which its deliveries are. */
  readonly base: string;
}

/** The agents in question: the one that is named, the one whose token it is, or all. */
async function placesOf(terminal: Terminal, api: RelayApi, options: Filter): Promise<Place[]> {
  if (options.agent !== undefined) {
    return [{ name: options.agent, base: agentPath(options.agent) }];
  }
  const { token } = managerTarget(terminal, options);
  if (token.startsWith('relay_agent_')) return [{ name: '', base: '/v1' }];
  const agents = await api.list('/v1/agents', agentPages);
  return agents.map(({ handle }) => ({ name: handle, base: agentPath(handle) }));
}

function withFilter(command: Command): Command {
  return command
    .option('--agent <handle>', 'of one agent alone')
    .option('--subscription <id>', 'of one webhook subscription alone')
    .option('--event <type>', 'of one type alone, such as task.created');
}

function queryOf({ subscription, event }: Filter) {
  return {
    ...(subscription === undefined ? {} : { subscription_id: subscription }),
    ...(event === undefined ? {} : { event_type: event }),
  };
}

/** The webhook subscription, or the task whose push notification it is. */
function receiverOf({ subscription_id, push_config }: z.infer<typeof deliverySchema>) {
  return subscription_id ?? (push_config ? `push of ${push_config.task_id}` : null);
}

function answerOf(
  attempt: z.infer<typeof deliverySchema>['attempts'][number] | undefined,
): string | number | null {
  return attempt?.http_status ?? attempt?.error_code ?? null;
}
