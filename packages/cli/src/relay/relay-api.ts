import { HttpClient, type HttpRequest, RelayRequestError } from '@relay/sdk';
import { z } from 'zod';
import type { Target } from './target.ts';

const timeoutMilliseconds = 30_000;

export type Query = Readonly<Record<string, string | number | undefined>>;

interface Probe {
  readonly status: number;
  readonly text: string;
  /** How far the clock there is ahead of the one here, where it tells the time. */
  readonly clockAheadMilliseconds: number | undefined;
}

interface Pages<Item> {
  /** The member of the answer that holds a page. */
  readonly items: string;
  readonly schema: z.ZodType<Item>;
  /** What is not there is not sent. */
  readonly query?: Query;
}

/** Relay's REST, as one caller uses it. */
export class RelayApi {
  readonly #http: HttpClient;

  constructor(target: Target) {
    this.#http = new HttpClient(target);
  }

  /**
   * @throws RelayRequestError where Relay refuses, cannot be reached, or answers something else
   */
  async get<Answer>(path: string, schema: z.ZodType<Answer>, query: Query = {}): Promise<Answer> {
    return read(schema, await this.#http.json({ method: 'GET', path: path + searchOf(query) }));
  }

  /**
   * One try: whether a change may be made twice is not known here.
   * @throws RelayRequestError
   */
  async change<Answer>(
    method: HttpRequest['method'],
    path: string,
    { body, schema }: { readonly body?: unknown; readonly schema: z.ZodType<Answer> },
  ): Promise<Answer> {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const answer = await this.#http.open({ method, path, body, signal });
    const text = await answer.body.text();
    return read(schema, text === '' ? undefined : JSON.parse(text));
  }

  /** One try of a question that anyone may ask, whatever the answer; undefined where nothing answers. */
  async probe(path: string, withinMilliseconds: number): Promise<Probe | undefined> {
    const signal = AbortSignal.timeout(withinMilliseconds);
    const askedAt = Date.now();
    try {
      const {
        statusCode: status,
        headers,
        body,
      } = await this.#http.open({
        method: 'GET',
        path,
        signal,
      });
      const ahead = Date.parse(String(headers['date'])) - (askedAt + Date.now()) / 2;
      const clockAheadMilliseconds = Number.isNaN(ahead) ? undefined : ahead;
      return { status, text: await body.text(), clockAheadMilliseconds };
    } catch (error) {
      const status = error instanceof RelayRequestError ? error.status : undefined;
      return status === undefined
        ? undefined
        : { status, text: '', clockAheadMilliseconds: undefined };
    }
  }

  /** Every page, one after the other. @throws RelayRequestError */
  async *pages<Item>(path: string, { items, schema, query = {} }: Pages<Item>) {
    const page = z.looseObject({
      [items]: z.array(schema),
      next_cursor: z.string().nullish(),
      next_page_token: z.string().nullish(),
    });
    let next: Query = {};
    do {
      const answer = await this.get(path, page, { ...query, ...next });
      yield z.array(schema).parse(answer[items]);
      next = nextOf(answer);
    } while (Object.keys(next).length > 0);
  }

  /** All of a list. @throws RelayRequestError */
  async list<Item>(path: string, pages: Pages<Item>): Promise<Item[]> {
    const all: Item[] = [];
    for await (const page of this.pages(path, pages)) all.push(...page);
    return all;
  }
}

function nextOf(answer: Readonly<Record<string, unknown>>): Query {
  const { next_cursor: cursor, next_page_token: token } = answer;
  if (typeof cursor === 'string' && cursor !== '') return { cursor };
  return typeof token === 'string' && token !== '' ? { page_token: token } : {};
}

function searchOf(query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}

function read<Answer>(schema: z.ZodType<Answer>, value: unknown): Answer {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new RelayRequestError('Relay answered what this version does not understand.', {});
}
