import type { GlobalOptions } from '../command.ts';
import { CommandError } from '../command-error.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { credentialsPath, readCredentials } from './credentials.ts';

/** Where to ask, and as whom. */
export interface Target {
  readonly origin: string;
  readonly token: string;
}

export interface TargetOptions extends GlobalOptions {
  readonly agent?: string | undefined;
}

/** Whoever tries Relay out: the agent of the demo that only asks others. */
const usualAgent = 'planner';

/** The administrator, or an owner whose token is given. @throws CommandError */
export function managerTarget(terminal: Terminal, options: GlobalOptions): Target {
  const { environment } = terminal;
  const credentials = () => readCredentials({ ...options, environment });
  const token =
    givenToken(terminal, options) || environment['RELAY_ADMIN_TOKEN'] || credentials()?.admin_token;
  return { origin: originOf(terminal, options), token: required(token, terminal, options) };
}

/** The agent that is named, or whose token is given. @throws CommandError */
export function agentTarget(terminal: Terminal, options: TargetOptions): Target {
  const { environment } = terminal;
  const origin = originOf(terminal, options);
  const given = givenToken(terminal, options);
  if (given) return { origin, token: given };
  const { agent = usualAgent } = options;
  const token = readCredentials({ ...options, environment })?.agents[agent];
  return { origin, token: required(token, terminal, options) };
}

function givenToken({ environment }: Terminal, { token }: GlobalOptions): string | undefined {
  return token || environment['RELAY_TOKEN'] || undefined;
}

export function originOf({ environment }: Terminal, options: GlobalOptions): string {
  const given = options.url || environment['RELAY_URL'];
  const { RELAY_PORT: port = '8080' } = environment;
  const text =
    given ?? readCredentials({ ...options, environment })?.url ?? `http://127.0.0.1:${port}`;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).origin;
  throw new CommandError(exitCodes.usage, `${text} is not a http URL`);
}

function required(
  token: string | undefined,
  { environment }: Terminal,
  options: TargetOptions,
): string {
  if (token) return token;
  const path = credentialsPath({ ...options, environment });
  const whose = options.agent === undefined ? '' : ` of ${options.agent}`;
  throw new CommandError(
    exitCodes.notAllowed,
    `no token${whose}: give one by --token or RELAY_TOKEN; ${path} has none for this`,
  );
}
