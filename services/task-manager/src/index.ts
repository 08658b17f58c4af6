export { startProjections } from './start-projections.ts';
export { startTaskManager, type TaskManager, type TaskManagerOptions } from './task-manager.ts';
