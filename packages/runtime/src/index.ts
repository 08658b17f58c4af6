export { enlargeBufferPool } from './buffer-pool.ts';
export { observeCommand } from './command-metrics.ts';
export { recordExecutedCommand, recordSentCommand } from './command-spans.ts';
export {
  type Config,
  ConfigError,
  loadConfig,
  requireSettings,
  type WithSettings,
} from './config.ts';
export { Lifecycle, StoppingError } from './lifecycle.ts';
export { explainListenError } from './listen-error.ts';
export { createLogger, type Logger, standardOutput } from './logger.ts';
export { type MainContext, runMain } from './main.ts';
export {
  type CollectedMetrics,
  Counter,
  collectMetrics,
  Gauge,
  Histogram,
  includeMetrics,
  metricsContentType,
  renderMetrics,
  ShownGauge,
} from './metrics.ts';
export {
  type Health,
  type OperationsServer,
  renderReadiness,
  startOperationsServer,
} from './operations-server.ts';
export { tellOperator } from './operator.ts';
export {
  createSealer,
  SealError,
  type Sealed,
  type SealedPlace,
  type Sealer,
  sealedSchema,
  sealedWith,
} from './sealer.ts';
export { Secret } from './secret.ts';
export {
  createSecretKeyText,
  isSecretKey,
  readSecretKeys,
  type SecretKey,
  type SecretKeys,
} from './secret-key.ts';
export { findSecretKeys, secretKeyPath } from './secret-key-file.ts';
export { reportSettings, type SettingReport } from './setting-report.ts';
export type { SettingName } from './settings.ts';
export { renderSettingsDocument } from './settings-document.ts';
export { spread } from './spread.ts';
export { StartupError } from './startup-error.ts';
export { traceWhereTold } from './trace-where-told.ts';
export {
  closeSpan,
  isTracing,
  makeSpanId,
  openSpan,
  openSpanOf,
  recordSpan,
  spanIdOf,
} from './tracing.ts';
