import { text as readAll } from 'node:stream/consumers';
import { type Message, RelayAgent, type SendOptions, type Task, textOf } from '@relay/sdk';
import type { Command } from 'commander';
import { z } from 'zod';
import { onRun } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { printOne } from '../output/print.ts';
import { printable } from '../output/table.ts';
import { agentTarget } from '../relay/target.ts';
import type { Terminal } from '../terminal.ts';

const badEnds = ['TASK_STATE_FAILED', 'TASK_STATE_REJECTED', 'TASK_STATE_CANCELED'];

export function addSendCommand(program: Command, terminal: Terminal): void {
  const command = program
    .command('send')
    .argument('<handle>', 'of the agent that is to get it')
    .argument('<text>', 'what to send; - reads it from the standard input')
    .option('--agent <handle>', 'the agent of credentials.json that sends it (default: planner)')
    .option('--task <id>', 'go on with a task instead of beginning a new one')
    .option('--no-wait', 'print the task as it is begun, and do not wait for it')
    .summary('send an agent a message and print what comes of it')
    .description(
      'Sends an agent a message and waits a minute for what comes of it. A task that failed, was rejected or was canceled ends the command with 1.',
    );
  const shape = {
    agent: z.string().optional(),
    task: z.string().optional(),
    wait: z.boolean().default(true),
  };
  onRun(command, terminal, shape, async ({ args: [handle = '', given = ''], options }) => {
    const { origin: url, token } = agentTarget(terminal, options);
    const text = given === '-' ? await readAll(process.stdin) : given;
    const sending: SendOptions = {
      returnImmediately: !options.wait,
      ...(options.task ? { taskId: options.task } : {}),
    };
    const to = handle.replace(/^@/, '');
    const answer = await new RelayAgent({ url, token }).send(to, text, sending);
    const result = 'task' in answer ? textOfTask(answer.task) : textOfMessage(answer.message);
    printOne({ terminal, options }, answer, result);
    if ('task' in answer && badEnds.includes(answer.task.status.state)) {
      const state = shortState(answer.task.status.state);
      throw new CommandError(exitCodes.failed, `the task is ${state}`);
    }
  });
}

/** `TASK_STATE_INPUT_REQUIRED` is `input required` to people. */
export function shortState(state: string): string {
  return state.replace('TASK_STATE_', '').replaceAll('_', ' ').toLowerCase();
}

function textOfTask({ id, status, artifacts = [] }: Task): string {
  const said = status.message ? [textOfMessage(status.message)] : [];
  const made = artifacts.map((artifact) => printable(textOf(artifact)));
  return [`task ${id} is ${shortState(status.state)}`, ...said, ...made].join('\n');
}

function textOfMessage(message: Message): string {
  return printable(textOf(message));
}
