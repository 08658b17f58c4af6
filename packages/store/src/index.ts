export {
  ChatIndex,
  type IndexedChat,
  type MessagePageQuery,
  type MessagePlace,
} from './chat-index.ts';
export {
  type DirectoryEntry,
  DirectoryIndex,
  type PublicAgent,
} from './directory-index.ts';
export type { IndexProgress } from './index-progress.ts';
export { inspectRedis, type RedisReport } from './inspect-redis.ts';
export { type RateLimits, Rates } from './rates/rates.ts';
export { startStore } from './start-store.ts';
export { openStore, type Store } from './store.ts';
export {
  type IndexedTask,
  type IndexPosition,
  TaskIndex,
  type TaskIndexPage,
  type TaskIndexQuery,
  type TaskSelection,
} from './task-index.ts';
export { applyScript, listScript, removeScript } from './task-index-scripts.ts';
