export { checkMayMessage } from './access.ts';
export { toAgentMe, toAgentResource, toContactCard, toTokenResource } from './agent-view.ts';
export type { TaskCommandPort, TaskCommandReply } from './command-port.ts';
export { type Decision, decide } from './decide.ts';
export type {
  DeliveryCommand,
  DeliveryFilter,
  DeliveryOperation,
  DeliveryOperations,
  DeliveryPort,
  DeliveryReply,
} from './delivery-port.ts';
export { deriveEventId, deriveTaskId } from './derived-ids.ts';
export { evolve } from './evolve.ts';
export { checkMessageParts } from './message-content.ts';
export { toOwnerResource } from './owner-view.ts';
export { actsFor, haveSameOwner, manages, type OwnedAgent } from './ownership.ts';
export {
  type RecordedTaskChange,
  type TaskChange,
  type TaskCommand,
  type TaskSnapshot,
  toRecordedChange,
} from './task.ts';
export { eventsOf } from './task-events.ts';
export { type ChangeSize, checkSize, taskByteBudget } from './task-size.ts';
export { isFinal, isInterrupted } from './task-states.ts';
export {
  isAnswered,
  messageOf,
  viewAnswer,
  viewListedTask,
  viewTask,
  viewUpdate,
} from './task-view.ts';
