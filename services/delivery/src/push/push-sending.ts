import type { Registry } from '@relay/bus';
import type { PushConfigStore } from './push-config-store.ts';

/** Where what is to be pushed is looked up when it is sent. */
export interface PushSending {
  readonly store: PushConfigStore;
  readonly registry: Registry;
}
