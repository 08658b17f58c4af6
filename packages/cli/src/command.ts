import { type Command, InvalidArgumentError } from 'commander';
import { z } from 'zod';
import type { Terminal } from './terminal.ts';

const globalSchema = z.object({
  url: z.string().optional(),
  token: z.string().optional(),
  dataDir: z.string().optional(),
  json: z.boolean().default(false),
});

/** Options that every command takes. */
export type GlobalOptions = z.output<typeof globalSchema>;

export interface Invocation<Options> {
  readonly terminal: Terminal;
  /** Commander has seen to it that the required ones are there. */
  readonly args: readonly string[];
  readonly options: Options & GlobalOptions;
}

/** What the settings are read from. */
export function environmentOf(
  { environment }: Terminal,
  { dataDir }: Pick<GlobalOptions, 'dataDir'>,
): NodeJS.ProcessEnv {
  return dataDir === undefined ? environment : { ...environment, RELAY_DATA_DIR: dataDir };
}

/** Has a command run a function, with its options as the shape reads them. */
export function onRun<Shape extends z.ZodRawShape>(
  command: Command,
  terminal: Terminal,
  shape: Shape,
  run: (invocation: Invocation<z.output<z.ZodObject<Shape>>>) => Promise<void>,
): Command {
  const schema = z.object(shape);
  return command.action(async () => {
    const given: unknown = command.optsWithGlobals();
    const options = { ...globalSchema.parse(given), ...schema.parse(given) };
    await run({ terminal, args: command.args, options });
  });
}

/** Reads an option that is a number. */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}
