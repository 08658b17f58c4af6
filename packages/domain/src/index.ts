export {
  checkListable,
  checkMayMessage,
  isKeptFrom,
  type RulesBetween,
  type Sender,
} from './access.ts';
export { modesOf } from './agent-modes.ts';
export { toAgentMe, toAgentResource, toContactCard, toTokenResource } from './agent-view.ts';
export { toChatParts } from './chat/a2a-parts.ts';
export type {
  A2aOrigin,
  ChatBeginning,
  ChatChange,
  ChatCommand,
  ChatMember,
  ChatMessage,
  ChatSnapshot,
  MessageReference,
  NewChatMessage,
  ReadMessage,
} from './chat/chat.ts';
export type { ChatCommandPort, ChatCommandReply } from './chat/chat-command-port.ts';
export { type ChatContact, toChatContact } from './chat/chat-contact.ts';
export { chatEventsOf } from './chat/chat-events.ts';
export { checkChatSize } from './chat/chat-size.ts';
export {
  viewChat,
  viewMember,
  viewPart,
  viewReply,
  viewSentMessage,
  viewThread,
} from './chat/chat-view.ts';
export {
  activeMember,
  activeMembers,
  type ChatDecision,
  decideChat,
  mayHaveForgotten,
  memberOf,
} from './chat/decide-chat.ts';
export { evolveChat } from './chat/evolve-chat.ts';
export { findSettled } from './chat/exchanges.ts';
export { failedEventOf } from './chat/failed-event.ts';
export { completedBy, recipientsOf } from './chat/read-by-all.ts';
export type { TaskCommandPort, TaskCommandReply } from './command-port.ts';
export { type Contact, handleOf, idOf, toContactLookup, toPersonLookup } from './contact.ts';
export { type Decision, decide } from './decide.ts';
export type {
  DeliveryCommand,
  DeliveryFilter,
  DeliveryOperation,
  DeliveryOperations,
  DeliveryPort,
  DeliveryReply,
} from './delivery-port.ts';
export {
  deriveChatId,
  deriveEventId,
  deriveExchangeMessageId,
  deriveNamedTaskId,
  deriveRecordId,
  deriveTaskId,
} from './derived-ids.ts';
export {
  isListed,
  isPublic,
  namesOf,
  toContactCardItem,
  toDirectoryAgent,
  toFoundAgent,
} from './directory/directory-view.ts';
export { profileWords, skillKey } from './directory/profile-words.ts';
export {
  type Candidate,
  compareRanks,
  type Measure,
  measureFor,
  type RankedAgent,
  rank,
} from './directory/ranking.ts';
export { fold, wordsAskedFor } from './directory/words.ts';
export { evolve } from './evolve.ts';
export { decideState, type StateDecision } from './exchange/decide-state.ts';
export { evolveState } from './exchange/evolve-state.ts';
export {
  type ExchangeOutcome,
  type ExchangeSnapshot,
  hasMessage,
  isExchange,
  isOfPair,
  isOfTask,
  type RecordedExchangeChange,
  type RecordedPair,
  type StateChange,
  type TaskPair,
  type TaskState,
  taskIdOf,
} from './exchange/exchange.ts';
export { outcomeOf, sendToChat, settledBy } from './exchange/exchange-chat.ts';
export { checkMessageParts } from './message-content.ts';
export { isVerified, toOwnerResource } from './owner-view.ts';
export { actsFor, haveSameOwner, manages, type OwnedAgent } from './ownership.ts';
export { derivePushConfigId, derivePushEndpointId } from './push-ids.ts';
export type { PushOperations, PushStart } from './push-port.ts';
export {
  type ExchangeOffer,
  type RecordedTaskChange,
  type TaskChange,
  type TaskCommand,
  type TaskOpening,
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
