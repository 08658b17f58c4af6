import { isMainThread } from 'node:worker_threads';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  register,
} from 'prom-client';

// What is so of the whole process is told by its main thread alone.
if (isMainThread) collectDefaultMetrics();

export { Counter, Gauge, Histogram };

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
