import { createSealer, createSecretKeyText, readSecretKeys } from '@relay/runtime';

/** One key for all deliveries of a test. */
export const testSealer = createSealer(readSecretKeys(createSecretKeyText()));
