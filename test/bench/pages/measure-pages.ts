import { connectBus } from '@relay/bus';
import { z } from 'zod';
import { AgentClient } from '../../support/ledger/agent-client.ts';
import { quantile, type Spread } from '../compare/statistics.ts';
import type { Relay } from '../contenders/relays.ts';
import { tell } from '../report/tell.ts';
import { fillChat } from './fill-chat.ts';

const pageSize = 50;
const ways = ['asc', 'desc'] as const;
/** Pages that are passed before one within a long chat is measured. */
const passedPages = 40;
const warmUp = 50;

const pageSchema = z.object({
  messages: z.array(z.object({ id: z.string() })),
  next_cursor: z.string().nullable(),
});

/** One kind of page of one chat. */
export interface MeasuredPage {
  readonly length: number;
  readonly way: (typeof ways)[number];
  readonly place: 'first' | 'within';
  readonly p50Milliseconds: Spread['median'];
  readonly p99Milliseconds: number;
}

interface Work {
  /** Of the chats, in messages. */
  readonly lengths: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
}

/** The chats take turns, so that each round pairs them fairly. */
export async function measurePages(
  { origin, adminToken }: Relay,
  natsUrl: string,
  { lengths, rounds, seconds }: Work,
): Promise<MeasuredPage[]> {
  const reader = await AgentClient.register([origin], adminToken, false);
  const bus = await connectBus({ servers: natsUrl, name: 'bench', replicas: 1 });
  const pages: {
    length: number;
    way: MeasuredPage['way'];
    place: MeasuredPage['place'];
    path: string;
  }[] = [];
  for (const length of lengths) {
    const other = await AgentClient.register([origin], adminToken, false);
    const { chatId } = await reader.write(other, 'hello', `chat ${length}`);
    tell(`writing ${length} messages`);
    await fillChat(bus, chatId, length);
    for (const way of ways) {
      const first = `/v1/chats/${chatId}/messages?limit=${pageSize}&order=${way}`;
      pages.push({ length, way, place: 'first', path: first });
      pages.push({ length, way, place: 'within', path: await pathWithin(reader, first, length) });
    }
  }
  const times = pages.map((): number[] => []);
  for (const { path } of pages) for (let n = 0; n < warmUp; n += 1) await read(reader, path);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { path }] of pages.entries()) {
      const end = performance.now() + (seconds * 1_000) / pages.length;
      while (performance.now() < end) {
        const since = performance.now();
        await read(reader, path);
        times[index]?.push(performance.now() - since);
      }
    }
  }
  await bus.close();
  return pages.map(({ path: _path, ...page }, index) => ({
    ...page,
    p50Milliseconds: quantile(times[index] ?? [], 0.5),
    p99Milliseconds: quantile(times[index] ?? [], 0.99),
  }));
}

/** The page behind so many others, as far as the chat goes. */
async function pathWithin(reader: AgentClient, first: string, length: number): Promise<string> {
  let path = first;
  const passed = Math.min(passedPages, length / pageSize - 1);
  for (let page = 0; page < passed; page += 1) {
    const { next_cursor } = await read(reader, path);
    if (next_cursor === null) throw new Error('the chat ended too soon');
    path = `${first}&cursor=${encodeURIComponent(next_cursor)}`;
  }
  return path;
}

async function read(reader: AgentClient, path: string) {
  const { status, body } = await reader.call({ method: 'GET', path });
  const page = pageSchema.parse(body);
  if (status !== 200 || page.messages.length !== pageSize) throw new Error(`${path}: ${status}`);
  return page;
}
