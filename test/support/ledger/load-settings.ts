import { retrySeconds, timeoutSeconds } from './check/check-schedule.ts';

/** What a relay under this load is set to, as environment variables: the checks know the retries by heart. */
export const loadSettings = {
  RELAY_CHAT_MESSAGE_RATE: '10000',
  RELAY_MESSAGE_RATE: '10000',
  RELAY_WEBHOOK_RETRY_SECONDS: retrySeconds.join(),
  RELAY_WEBHOOK_TIMEOUT_SECONDS: String(timeoutSeconds),
};
