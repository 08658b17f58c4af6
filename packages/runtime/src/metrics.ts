import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';

collectDefaultMetrics();

export { Counter, Gauge, Histogram };

export const metricsContentType = register.contentType;

/** All metrics of this process, as Prometheus reads them. */
export function renderMetrics(): Promise<string> {
  return register.metrics();
}
