import type { RelaySettings } from '../contenders/relays.ts';
import type { LoadClient } from '../load/load-client.ts';
import type { Options } from '../options.ts';

export interface BenchContext {
  readonly options: Options;
  readonly load: LoadClient;
  readonly relay: RelaySettings;
}

export interface BenchReport {
  /** For people. */
  readonly text: string;
  /** Everything measured. */
  readonly data: unknown;
}

export type Bench = (context: BenchContext) => Promise<BenchReport>;

export const manyConnections = 64;
