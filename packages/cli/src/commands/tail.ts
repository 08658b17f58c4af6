import { type EventEnvelope, RelayAgent } from '@relay/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import { onRun } from '../command.ts';
import { printable } from '../output/table.ts';
import { agentTarget } from '../relay/target.ts';
import type { Terminal } from '../terminal.ts';
import { shortState } from './send.ts';

export function addTailCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('tail')
    .option(
      '--agent <handle>',
      'the agent of credentials.json whose events they are (default: planner)',
    )
    .summary("watch an agent's events as they come")
    .description(
      'Watches the events of an agent until it is stopped: those that it has not acknowledged, then each as it comes. Nothing is acknowledged, so the agent itself gets them all the same. With `--json` each event is one line.',
    );
  onRun(command, terminal, { agent: z.string().optional() }, async ({ options }) => {
    const { origin: url, token } = agentTarget(terminal, options);
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
    const listener = await new RelayAgent({ url, token }).observe(
      (event) => {
        const line = options.json ? JSON.stringify(event) : lineOf(event);
        terminal.stdout.write(`${line}\n`);
      },
      {
        signal: stopping.signal,
        onError: ({ message }) => terminal.stderr.write(`relay: ${message}\n`),
      },
    );
    await listener.finished;
  });
}

function lineOf({ created_at, event_type, data }: EventEnvelope): string {
  return printable(`${created_at}  ${event_type.padEnd(20)}  ${aboutOf(data)}`);
}

function aboutOf(data: EventEnvelope['data']): string {
  if ('task' in data) return `${data.task.id}  ${shortState(data.task.status.state)}`;
  if ('task_id' in data) return data.task_id;
  return 'chat_id' in data ? `chat ${data.chat_id}` : `chat ${data.id}`;
}
