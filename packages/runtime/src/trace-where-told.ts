import type { Config } from './config.ts';
import type { Lifecycle } from './lifecycle.ts';

/** Sends spans where the settings say so. The SDK is not even loaded where they do not. */
export async function traceWhereTold(
  { otlpUrl }: Pick<Config, 'otlpUrl'>,
  lifecycle: Lifecycle,
  service: string,
): Promise<void> {
  if (otlpUrl === undefined) return;
  const { startTracing } = await import('./start-tracing.ts');
  await lifecycle.start(
    'tracing',
    () => startTracing(otlpUrl, service),
    (end) => end(),
  );
}
