import { isTracing, openSpanOf, recordSpan, spanIdOf } from './tracing.ts';

interface TracedCommand {
  readonly type: string;
  readonly traceId: string;
  readonly changeId: string;
}

/** What is known when a command is over. */
interface CommandEnd {
  readonly milliseconds: number;
  /** The key of its refusal. */
  readonly refusal: string | undefined;
}

/** A command as the gateway sent it: all that comes of its change belongs below it. */
export function recordSentCommand(command: TracedCommand, end: CommandEnd): void {
  if (!isTracing()) return;
  const { traceId, changeId } = command;
  recordSpan({
    kind: 'client',
    spanId: spanIdOf(changeId),
    parentId: openSpanOf(traceId),
    ...spanOf(command, end),
  });
}

/** A command as it was executed, in the same process or another. */
export function recordExecutedCommand(command: TracedCommand, end: CommandEnd): void {
  if (!isTracing()) return;
  recordSpan({ kind: 'server', parentId: spanIdOf(command.changeId), ...spanOf(command, end) });
}

function spanOf({ type, traceId, changeId }: TracedCommand, { milliseconds, refusal }: CommandEnd) {
  const isFailure = refusal === 'unavailable' || refusal === 'internal';
  return {
    name: `command ${type}`,
    traceId,
    startedAt: Date.now() - milliseconds,
    failure: isFailure ? refusal : undefined,
    attributes: { 'relay.change_id': changeId, 'relay.outcome': refusal ?? 'done' },
  };
}
