import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from './config.ts';

export type { Logger };

/** Lines are flat, and looking deeper costs as much as the rest of the line seven times over. */
const secretFields = ['authorization', 'token', 'adminToken', 'secret', 'password', 'cookie'];

const flushDelay = 500;

interface StandardOutput extends DestinationStream {
  /** Calls back when nothing is on its way any more; what is left is written at the exit. */
  flush(done: (error?: Error) => void): void;
}

/**
 * Standard output, some lines at a time: a write for each costs a twentieth of the rate. A process that is
 * killed takes the lines of its last half second with it. The destination's own flush by the clock would
 * sync a file twice a second, also where nothing was written.
 */
export function standardOutput(): StandardOutput {
  const destination = pino.destination({ minLength: 4_096 });
  let flush: NodeJS.Timeout | undefined;
  const flushSoon = () =>
    setTimeout(() => {
      flush = undefined;
      destination.flush();
    }, flushDelay).unref();
  process.on('exit', () => destination.flushSync());
  return {
    write: (line) => {
      destination.write(line);
      flush ??= flushSoon();
    },
    flush: (done) => destination.flush(done),
  };
}

/** Lines are events: one for each unit of work, with every id and the outcome as fields at the top. */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  service: string,
  destination?: DestinationStream,
): Logger {
  return pino(
    {
      level: config.logLevel,
      base: { service },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      redact: secretFields,
    },
    destination,
  );
}
