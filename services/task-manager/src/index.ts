export { startTaskManager, type TaskManager, type TaskManagerOptions } from './task-manager.ts';
