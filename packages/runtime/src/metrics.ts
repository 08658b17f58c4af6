import { isMainThread } from 'node:worker_threads';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  register,
} from 'prom-client';

/**
 * Milliseconds between two looks at the event loop's lag, which is told with them. The default, 10, is what a
 * process without work does most.
 */
const eventLoopMonitoringPrecision = 100;

// What is so of the whole process is told by its main thread alone.
if (isMainThread) collectDefaultMetrics({ eventLoopMonitoringPrecision });

export { Counter, Gauge, Histogram };

/** What several parts of a process show of one thing; their sum is told. */
type Shown<Label extends string> = () => Iterable<{
  readonly labels?: Readonly<Record<Label, string>>;
  readonly value: number;
}>;

/** A gauge that is read when it is asked for. Labels must take few values: each one is a series for ever. */
export class ShownGauge<Label extends string = never> {
  readonly #shown = new Set<Shown<Label>>();

  constructor(options: { name: string; help: string; labelNames?: readonly Label[] }) {
    const { labelNames = [], ...rest } = options;
    const shown = this.#shown;
    const gauge = new Gauge<Label>({
      ...rest,
      labelNames,
      collect: () => {
        gauge.reset();
        for (const show of shown) {
          for (const { labels, value } of show()) {
            if (labels) gauge.inc(labels, value);
            else gauge.inc(value);
          }
        }
      },
    });
  }

  /** @returns a function after which it is shown no longer */
  show(read: Shown<Label>): () => void {
    this.#shown.add(read);
    return () => this.#shown.delete(read);
  }
}

export const metricsContentType = register.contentType;

export type CollectedMetrics = Awaited<ReturnType<typeof register.getMetricsAsJSON>>;

const otherThreads = new Set<() => Promise<CollectedMetrics>>();

/** The metrics of this thread, for the one that tells them. */
export function collectMetrics(): Promise<CollectedMetrics> {
  return register.getMetricsAsJSON();
}

/** From now on those metrics are told with this thread's, until the function returned is called. */
export function includeMetrics(collect: () => Promise<CollectedMetrics>): () => void {
  otherThreads.add(collect);
  return () => otherThreads.delete(collect);
}

/** All metrics of this process, as Prometheus reads them. */
export async function renderMetrics(): Promise<string> {
  if (otherThreads.size === 0) return register.metrics();
  const threads = [collectMetrics, ...otherThreads];
  const collected = await Promise.all(threads.map((collect) => collect()));
  return AggregatorRegistry.aggregate(collected).metrics();
}
