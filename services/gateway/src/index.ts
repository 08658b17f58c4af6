export { ChatPages } from './chats/chat-pages.ts';
export { Directory } from './directory/directory.ts';
export { type Gateway, type GatewayOptions, startGateway } from './gateway.ts';
export type { UpgradeHandler } from './http/upgrades.ts';
export {
  IndexedTaskLists,
  type TaskList,
  type TaskListQuery,
} from './lists/indexed-task-lists.ts';
export { type EnsuredAgent, ensureAgent } from './registry/ensure-agent.ts';
export type { TaskLists } from './tasks/task-lists.ts';
