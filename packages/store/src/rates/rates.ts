import type { AgentId, ChatId, Refusal } from '@relay/protocol';
import { z } from 'zod';
import type { Store } from '../store.ts';
import { countScript } from './count-script.ts';
import { LocalCounts } from './local-counts.ts';
import type { FullWindow, Window } from './window.ts';

/** How many messages are taken; undefined for any number. */
export interface RateLimits {
  /** Of one agent in one chat within 10 seconds. */
  readonly chatMessageRate: number;
  /** Of one agent in all chats within 10 seconds. */
  readonly messageRate: number;
  /** Of one agent on tasks within 10 seconds. */
  readonly taskMessageRate?: number | undefined;
  /** Of two agents in turn within a minute. */
  readonly loopCap?: number | undefined;
}

interface Direction {
  readonly senderId: AgentId;
  /** The other agent, where there is one alone. */
  readonly receiverId: AgentId | undefined;
}

const rateMilliseconds = 10_000;
const loopMilliseconds = 60_000;
/** Milliseconds for which Redis is left alone after it failed: a stalled one would hold up each message. */
const restAfterFailure = 1_000;

const answerSchema = z.tuple([z.int(), z.number()]).nullable();

/**
 * Counts messages over all replicas, in Redis. While that is away each process goes by what it has counted
 * itself, which it does all the time, so there is always a limit.
 */
export class Rates {
  readonly #store: Store;
  readonly #limits: RateLimits;
  readonly #local = new LocalCounts();
  #restsUntil = 0;

  constructor(store: Store, limits: RateLimits) {
    this.#store = store;
    this.#limits = limits;
  }

  /** Counts a message in a chat, unless it is one too many. */
  countChatMessage(direction: Direction, chatId: ChatId): Promise<Refusal | undefined> {
    const { senderId } = direction;
    const { chatMessageRate, messageRate } = this.#limits;
    return this.#count([
      rateOf(`chat:${senderId}:${chatId}`, chatMessageRate),
      rateOf(`sender:${senderId}`, messageRate),
      ...this.#loopOf(direction),
    ]);
  }

  /** Counts a message on a task, unless it is one too many. Without a limit nothing is asked. */
  async countTaskMessage(direction: Direction): Promise<Refusal | undefined> {
    const { taskMessageRate: limit } = this.#limits;
    const windows = [
      ...(limit === undefined ? [] : [rateOf(`tasks:${direction.senderId}`, limit)]),
      ...this.#loopOf(direction),
    ];
    return windows.length > 0 ? this.#count(windows) : undefined;
  }

  #loopOf({ senderId, receiverId }: Direction): Window[] {
    const { loopCap: limit } = this.#limits;
    if (limit === undefined || receiverId === undefined) return [];
    const key = `relay:rate:loop:${[senderId, receiverId].toSorted().join(':')}`;
    return [{ key, limit, milliseconds: loopMilliseconds, turnOf: senderId }];
  }

  async #count(windows: readonly Window[]): Promise<Refusal | undefined> {
    // Before Redis is asked: then what is counted here never leaves its window later than there.
    const now = performance.now();
    const local = this.#local.full(windows, now);
    if (local) return refusalOf(local);
    const shared = await this.#countShared(windows);
    const full = shared === 'away' ? this.#local.full(windows, now) : shared;
    if (full) return refusalOf(full);
    this.#local.count(windows, now);
    return undefined;
  }

  async #countShared(windows: readonly Window[]): Promise<FullWindow | 'away' | undefined> {
    const { redis } = this.#store;
    if (!this.#store.isConnected() || performance.now() < this.#restsUntil) return 'away';
    try {
      const answer = answerSchema.parse(await redis.eval(countScript, 0, JSON.stringify(windows)));
      const window = answer ? windows[answer[0]] : undefined;
      return answer && window ? { window, wait: answer[1] } : undefined;
    } catch {
      this.#restsUntil = performance.now() + restAfterFailure;
      return 'away';
    }
  }
}

function rateOf(name: string, limit: number): Window {
  return { key: `relay:rate:${name}`, limit, milliseconds: rateMilliseconds };
}

function refusalOf({ window, wait }: FullWindow): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(wait / 1_000));
  const refusal = { error: 'tooManyMessages', retryAfterSeconds } as const;
  if (window.turnOf === undefined) return refusal;
  const message = `These two agents have answered each other ${window.limit} times within a minute, which looks like a loop. Let one of them stop, or try again later.`;
  return { ...refusal, message };
}
