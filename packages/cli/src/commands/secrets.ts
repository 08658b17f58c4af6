import type { Command } from 'commander';
import { z } from 'zod';
import { onRun } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { printOne } from '../output/print.ts';
import { Progress } from '../output/progress.ts';
import { RelayApi } from '../relay/relay-api.ts';
import { managerTarget } from '../relay/target.ts';
import type { Terminal } from '../terminal.ts';

const answerSchema = z.object({
  examined: z.int(),
  rewrapped: z.int(),
  failed: z.int(),
  next_page_token: z.string(),
});

export function addSecretCommands(program: Command, terminal: Terminal): void {
  const secrets = program
    .command('secrets')
    .summary('seal stored secrets anew')
    .description('Secrets that Relay keeps sealed, such as those that sign webhooks.');
  const rewrap = secrets
    .command('rewrap')
    .description(
      'Seals every stored secret anew with the first key of RELAY_SECRET_KEY. To replace a key: put the new one in front of it, restart Relay, run this, then take the old one away. It may be run again. For the administrator.',
    );
  onRun(rewrap, terminal, {}, async ({ options }) => {
    const api = new RelayApi(managerTarget(terminal, options));
    const progress = new Progress(terminal);
    const total = { examined: 0, rewrapped: 0, failed: 0 };
    let token = '';
    do {
      const body = token === '' ? {} : { page_token: token };
      const schema = answerSchema;
      const answer = await api.change('POST', '/v1/secrets/rewrap', { body, schema });
      total.examined += answer.examined;
      total.rewrapped += answer.rewrapped;
      total.failed += answer.failed;
      token = answer.next_page_token;
      progress.update(`${total.examined} secrets looked at, ${total.rewrapped} sealed anew`);
    } while (token !== '');
    const { examined, rewrapped, failed } = total;
    progress.done(`${examined} secrets looked at, ${rewrapped} sealed anew, ${failed} not opened`);
    if (options.json) printOne({ terminal, options }, total, '');
    if (failed > 0) {
      const why = 'no key in RELAY_SECRET_KEY opens some of them; the log of delivery says which';
      throw new CommandError(exitCodes.failed, why);
    }
  });
}
