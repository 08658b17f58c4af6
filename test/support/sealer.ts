import { createSealer, createSecretKeyText, readSecretKeys } from '@relay/runtime';

export const testSecretKey = createSecretKeyText();

/** One key for all deliveries of a test. */
export const testSealer = createSealer(readSecretKeys(testSecretKey));
