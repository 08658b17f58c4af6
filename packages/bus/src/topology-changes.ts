import type { StreamConfig } from '@nats-io/jetstream';

/** A setting of a stream as an earlier version of Relay asked for it. */
export interface EarlierSetting {
  readonly stream: string;
  readonly setting: keyof StreamConfig;
  readonly value: unknown;
}

/**
 * What may be changed in place to what the topology asks for now. A setting that is changed there leaves its
 * earlier value here, as long as somebody may upgrade from a version that wrote it.
 */
export const earlierSettings: readonly EarlierSetting[] = [];

/** Settings that differ, by name. The server drops those it does not know without a word. */
export function differences(asked: Partial<StreamConfig>, echoed: StreamConfig): string[] {
  const there = new Map<string, unknown>(Object.entries(echoed));
  return Object.entries(asked)
    .filter(([setting, value]) => !isSame(there.get(setting), value))
    .map(([setting]) => setting);
}

/** Whether each difference is one that Relay makes itself. Any other is somebody else's, and not touched. */
export function mayChange(
  asked: Partial<StreamConfig>,
  echoed: StreamConfig,
  earlier: readonly EarlierSetting[],
): boolean {
  const there = new Map<string, unknown>(Object.entries(echoed));
  const { num_replicas: replicas = 1 } = asked;
  const isGrowing = replicas > echoed.num_replicas;
  return differences(asked, echoed).every((setting) => {
    // Direct reads end where there are copies that may be behind.
    if (setting === 'num_replicas' || setting === 'allow_direct') return isGrowing;
    return earlier.some(
      (each) =>
        each.stream === echoed.name &&
        each.setting === setting &&
        isSame(each.value, there.get(setting)),
    );
  });
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
