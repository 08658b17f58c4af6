import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Config } from './config.ts';

export type { Logger };

const SECRET_FIELDS = ['authorization', 'token', 'adminToken', 'secret', 'password', 'cookie'];

const DEPTHS = ['', '*.', '*.*.'];

/** Lines are events: one for each unit of work, with every id and the outcome as fields. */
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
      redact: DEPTHS.flatMap((depth) => SECRET_FIELDS.map((field) => `${depth}${field}`)),
    },
    destination,
  );
}
