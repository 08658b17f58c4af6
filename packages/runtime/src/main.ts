import { constants } from 'node:os';
import { enlargeBufferPool } from './buffer-pool.ts';
import { type Config, loadConfig } from './config.ts';
import { Lifecycle } from './lifecycle.ts';
import { createLogger, type Logger, standardOutput } from './logger.ts';
import { tellOperator } from './operator.ts';
import { StartupError } from './startup-error.ts';
import { traceWhereTold } from './trace-where-told.ts';

export interface MainContext {
  readonly config: Config;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
}

interface Main {
  readonly service: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly defaultPort?: number;
  start(context: MainContext): Promise<void>;
}

type StopSignal = 'SIGINT' | 'SIGTERM';

/** One Ctrl-C arrives twice under npm: from the terminal and passed on by npm. */
const SAME_KEYPRESS_MS = 500;

const STOP_GRACE_SECONDS = 5;

/** The life of a service's process: settings, start, signals, orderly stop, exit code. */
export async function runMain(main: Main): Promise<void> {
  const config = loadConfigOrExit(main);
  const logger = createLogger(config, main.service, standardOutput());
  const lifecycle = new Lifecycle(logger);
  enlargeBufferPool();
  exitOnUncaughtErrors(logger);
  stopOnSignals({ config, logger, lifecycle });
  try {
    await traceWhereTold(config, lifecycle, main.service);
    await main.start({ config, logger, lifecycle });
  } catch (error) {
    if (lifecycle.isStopping) return;
    report(error);
    await stopAndExit({ config, logger, lifecycle }, 1);
  }
}

function loadConfigOrExit(main: Main): Config {
  try {
    return loadConfig(main.environment, main.defaultPort);
  } catch (error) {
    report(error);
    return process.exit(1);
  }
}

function exitOnUncaughtErrors(logger: Logger): void {
  process.on('uncaughtException', (error, origin) => {
    logger.fatal({ err: error, origin }, 'process.uncaught_error');
    process.exit(1);
  });
}

function stopOnSignals(context: MainContext): void {
  let firstSignalAt: number | undefined;
  const onSignal = (signal: StopSignal) => {
    if (firstSignalAt === undefined) {
      firstSignalAt = performance.now();
      context.logger.info({ signal }, 'process.stopping');
      void stopAndExit(context, 0);
    } else if (performance.now() - firstSignalAt > SAME_KEYPRESS_MS) {
      process.exit(128 + constants.signals[signal]);
    }
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
}

async function stopAndExit(context: MainContext, exitCode: number): Promise<void> {
  const limitSeconds = context.config.drainSeconds + STOP_GRACE_SECONDS;
  const limit = setTimeout(() => {
    context.logger.error({ limitSeconds }, 'process.stop_timed_out');
    process.exit(1);
  }, limitSeconds * 1_000);
  const stopped = await context.lifecycle.stop().then(
    () => true,
    () => false,
  );
  // Lines that are on their way at the exit would be lost, or written in part.
  await new Promise<void>((done) => context.logger.flush(() => done()));
  clearTimeout(limit);
  process.exit(stopped ? exitCode : 1);
}

function report(error: unknown): void {
  if (error instanceof StartupError) {
    for (const line of error.message.split('\n')) tellOperator(line);
  } else {
    console.error(error);
  }
}
