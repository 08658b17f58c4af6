import { parseArgs } from 'node:util';
import { z } from 'zod';

export const usage = `Usage: npm run bench -- [bench...] [options]

Benches (all unless named):
  send       SendMessage, returnImmediately, 64 connections; the callee holds a WebSocket
  curve      the same of Relay alone at 1 to 256 connections, one process beside three
  roundtrip  blocking SendMessage answered by an SDK agent, at 1 and at 64 connections
  messages   the same to an agent that takes no tasks and replies in the chat, at 1 and at 16
  pages      pages of a chat with many messages beside one with 100, from both ends and from within
  waits      blocking calls that are open at once: memory of each, and whether all wake
  streams    open event streams, each told of one change a second: how late
  sockets    idle WebSockets, all of them cut at once, and one event to 1000 of one agent
  live       new tasks appended as fast as NATS takes them: how fast their events come at sockets
  webhooks   events to webhooks: live, from a backlog, and beside endpoints that never answer
  growth     delivery, memory and start with many agents and many events beside few
  codecs     what translating each A2A version costs, as a share of a send

Options:
  --seconds S     length of one contender's slice of a round (3)
  --rounds N      rounds, in each of which every contender has one slice (5)
  --warmup S      how long each contender is loaded before the first round (10)
  --quiet S       before each slice, wait up to S seconds for strangers to be idle (0)
  --waits N       calls that wait at once (10000)
  --streams N     event streams that are open at once (1000)
  --sockets N     WebSockets that are open at once (10000)
  --chat N        messages of the long chat (100000)
  --agents N      agents of the relay that has many (100000)
  --events N      events that it holds (1000000)
  --only TEXT     only contenders with TEXT in their name
  --json FILE     write everything measured to FILE
  --cpu-prof DIR  let the processes of Relay write CPU profiles to DIR when they end
`;

export const benchNames = [
  'send',
  'curve',
  'roundtrip',
  'messages',
  'pages',
  'waits',
  'streams',
  'sockets',
  'live',
  'webhooks',
  'growth',
  'codecs',
] as const;

const count = z.coerce.number().int().positive();

const optionsSchema = z.object({
  benches: z.array(z.enum(benchNames)),
  seconds: z.coerce.number().positive(),
  rounds: count,
  warmup: z.coerce.number().positive(),
  quiet: z.coerce.number().min(0),
  waits: count,
  streams: count,
  sockets: count,
  chat: count,
  agents: count,
  events: count,
  only: z.string(),
  json: z.string().optional(),
  'cpu-prof': z.string().optional(),
  help: z.boolean(),
});
export type Options = z.infer<typeof optionsSchema>;

/** @throws Error when an argument is not one of those in the usage */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '5' },
      warmup: { type: 'string', default: '10' },
      quiet: { type: 'string', default: '0' },
      waits: { type: 'string', default: '10000' },
      streams: { type: 'string', default: '1000' },
      sockets: { type: 'string', default: '10000' },
      chat: { type: 'string', default: '100000' },
      agents: { type: 'string', default: '100000' },
      events: { type: 'string', default: '1000000' },
      only: { type: 'string', default: '' },
      json: { type: 'string' },
      'cpu-prof': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const benches = positionals.length > 0 ? positionals : [...benchNames];
  const options = optionsSchema.safeParse({ ...values, benches });
  if (!options.success) throw new Error(z.prettifyError(options.error));
  return options.data;
}
