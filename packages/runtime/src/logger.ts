import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from './config.ts';

export type { Logger };

/** Lines are flat, and looking deeper costs as much as the rest of the line seven times over. */
const secretFields = ['authorization', 'token', 'adminToken', 'secret', 'password', 'cookie'];

/**
 * Standard output, some lines at a time: a write for each costs a twentieth of the rate. A process that is
 * killed takes the lines of its last half second with it.
 */
export function standardOutput(): DestinationStream {
  const destination = pino.destination({ minLength: 4_096, periodicFlush: 500 });
  process.on('exit', () => destination.flushSync());
  return destination;
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
