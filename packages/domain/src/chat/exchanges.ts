import type { AgentId, TaskId } from '@relay/protocol';
import type { ChatSnapshot, NewChatMessage, OpenExchange, SettledExchange } from './chat.ts';

/** Exchanges that wait in one chat. Past this the oldest lapses: its message stays, its call gets no answer. */
const maximumOpen = 64;
const rememberedSettled = 64;

type Exchanges = Pick<ChatSnapshot, 'openExchanges' | 'settledExchanges'>;

/**
 * The exchange that a message answers (contract §3.7): one whose message it names; without a `reply_to`
 * the one before it, if that was all that the requester wrote since the agent wrote last.
 */
export function exchangeAnsweredBy(
  { openExchanges, lastRun }: Pick<ChatSnapshot, 'openExchanges' | 'lastRun'>,
  senderId: AgentId,
  { replyTo, keptFrom }: Pick<NewChatMessage, 'replyTo' | 'keptFrom'>,
): OpenExchange | undefined {
  // What its requester does not get answers nothing.
  if (keptFrom) return undefined;
  const isAnswered = ({ messageId }: OpenExchange) =>
    replyTo
      ? replyTo.messageId === messageId
      : lastRun?.length === 1 && lastRun.messageId === messageId;
  return openExchanges.find(
    (exchange) => exchange.requesterId !== senderId && isAnswered(exchange),
  );
}

export function openExchange(exchanges: Exchanges, exchange: OpenExchange, revision: number) {
  const open = [...exchanges.openExchanges, exchange];
  const lapsed = open.slice(0, -maximumOpen).map(({ taskId }) => {
    return { taskId, outcome: 'lapsed', revision } as const;
  });
  return {
    openExchanges: open.slice(-maximumOpen),
    settledExchanges: remember([...exchanges.settledExchanges, ...lapsed]),
  };
}

export function settleExchange(exchanges: Exchanges, settled: SettledExchange): Exchanges {
  return {
    openExchanges: exchanges.openExchanges.filter(({ taskId }) => taskId !== settled.taskId),
    settledExchanges: remember([...exchanges.settledExchanges, settled]),
  };
}

/** How the exchange ended, if it did not too long ago. */
export function findSettled(
  { settledExchanges }: Pick<ChatSnapshot, 'settledExchanges'>,
  taskId: TaskId,
): SettledExchange | undefined {
  return settledExchanges.find((settled) => settled.taskId === taskId);
}

function remember(settled: readonly SettledExchange[]): readonly SettledExchange[] {
  return settled.slice(-rememberedSettled);
}
