export {
  type Artifact,
  artifactSchema,
  limits,
  type Message,
  type MessageInput,
  type Metadata,
  messageSchema,
  metadataSchema,
  optionalIdSchema,
  type Part,
  partSchema,
  type Role,
  type TaskState,
  taskStateSchema,
  taskStates,
} from './a2a.ts';
export {
  type ListTasksResponse,
  type SendMessageResponse,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskStatus,
  type TaskStatusUpdateEvent,
} from './a2a-results.ts';
export {
  listStuckQuerySchema,
  type RewrapAnswer,
  rewrapAnswerSchema,
  rewrapRequestSchema,
  type StuckMessage,
  type StuckMessageId,
  type StuckPage,
  type StuckRedriveAnswer,
  stuckMessageIdSchema,
  stuckPageSchema,
  stuckRedriveAnswerSchema,
} from './administration.ts';
export {
  type AgentCard,
  type AgentInterface,
  agentCardSchema,
  type CardSignature,
  type Jwk,
  keySetSchema,
} from './agent-card.ts';
export {
  type AgentMe,
  type AgentRecord,
  type AgentResource,
  agentCategorySchema,
  agentMeSchema,
  agentRecordSchema,
  agentResourceSchema,
  type ChangeAgentRequest,
  type ContactCard,
  type CreateAgentRequest,
  changeAgentRequestSchema,
  changeMeRequestSchema,
  createAgentRequestSchema,
  type Skill,
  skillSchema,
} from './agents.ts';
export type {
  FailedEvent,
  MessageEvent,
  ParticipantAdded,
  ParticipantRemoved,
  ReceivedEvent,
} from './chat-events.ts';
export { type ChatId, type ChatMessageId, chatIdSchema, chatMessageIdSchema } from './chat-ids.ts';
export {
  a2uiMediaType,
  type ChatPart,
  chatPartsSchema,
  maximumChatMembers,
} from './chat-parts.ts';
export {
  addParticipantRequestSchema,
  type Chat,
  type ChatHandle,
  type ChatMessageView,
  changeChatRequestSchema,
  chatChangeAnswerSchema,
  chatMessageViewSchema,
  chatSchema,
  chatsPageSchema,
  createChatAnswerSchema,
  createChatRequestSchema,
  createMessageAnswerSchema,
  createMessageRequestSchema,
  listChatsQuerySchema,
  listMessagesQuerySchema,
  listThreadQuerySchema,
  type MessageContent,
  messagesPageSchema,
  participantAnswerSchema,
  type ReadPart,
  removeParticipantRequestSchema,
  type SentMessage,
  sendToChatAnswerSchema,
  sendToChatRequestSchema,
} from './chats.ts';
export type {
  AnswerEncoder,
  DecodedCall,
  MessageRequest,
  MethodDecoder,
  OperationCall,
  StreamUpdate,
} from './codecs/decoded-call.ts';
export {
  agentCardV01Schema,
  agentCardV03HttpSchema,
  agentCardV03Schema,
  encodeCardV01,
  encodeCardV03,
} from './codecs/older-cards.ts';
export { encodePushNotification, type PushNotification } from './codecs/push-notification.ts';
export { type MethodV1, methodsV1 } from './codecs/v1.ts';
export {
  namedTaskParamsSchema,
  sendParamsV01Schema,
  setPushConfigParamsV01Schema,
} from './codecs/v01/decode.ts';
export {
  methodsV01,
  type NamedTaskCall,
  type NamedTaskDecoder,
} from './codecs/v01/methods.ts';
export { eventV01Schema, pushConfigV01Schema, taskV01Schema } from './codecs/v01/shapes.ts';
export {
  pushConfigParamsV03Schema,
  sendParamsV03Schema,
  setPushConfigParamsV03Schema,
} from './codecs/v03/decode.ts';
export { methodsV03 } from './codecs/v03/methods.ts';
export {
  eventV03Schema,
  messageV03Schema,
  pushConfigV03Schema,
  taskV03Schema,
} from './codecs/v03/shapes.ts';
export {
  createPushConfigBodyV03HttpSchema,
  sendBodyV03HttpSchema,
} from './codecs/v03-http/decode.ts';
export { operationsV03Http } from './codecs/v03-http/operations.ts';
export {
  answerV03HttpSchema,
  eventV03HttpSchema,
  pushConfigPageV03HttpSchema,
  pushConfigV03HttpSchema,
  taskV03HttpSchema,
} from './codecs/v03-http/shapes.ts';
export {
  type ChangeContactCardRequest,
  type ContactCardItem,
  changeContactCardRequestSchema,
  contactCardItemSchema,
  contactCardsSchema,
  type SetContactCardRequest,
  setContactCardRequestSchema,
} from './contact-cards.ts';
export * from './contact-rules.ts';
export {
  type DirectoryAgent,
  type DirectoryPage,
  type DirectoryQuery,
  directoryAgentSchema,
  directoryPageSchema,
  directoryQuerySchema,
  type FoundAgent,
  foundAgentSchema,
  type LookedUpContact,
  type LookupAnswer,
  lookupAnswerSchema,
  lookupRequestSchema,
} from './directory.ts';
export { documentedFormOf } from './documented-as.ts';
export type { ErrorDefinition } from './error-definition.ts';
export {
  type JsonRpcError,
  jsonRpcErrorSchema,
  jsonRpcStatus,
  type RestError,
  restErrorSchema,
  toJsonRpcError,
  toRestError,
} from './error-wire.ts';
export {
  type ErrorKey,
  errorCatalogue,
  type FieldViolation,
  type Refusal,
  RelayError,
} from './errors.ts';
export {
  type EventData,
  type EventEnvelope,
  type EventType,
  eventEnvelopeSchema,
  eventTypes,
} from './events.ts';
export { httpJsonErrorSchema, httpJsonStatus, toHttpJsonError } from './http-json-error.ts';
export {
  type AgentId,
  agentIdSchema,
  type ChangeId,
  changeIdSchema,
  type Handle,
  handleSchema,
  type OwnerId,
  ownerIdSchema,
  type SubscriptionId,
  subscriptionIdSchema,
  type TaskId,
  type Timestamp,
  type TraceId,
  taskIdSchema,
  timestampAt,
  timestampSchema,
  traceIdSchema,
  type WebhookDeliveryId,
  webhookDeliveryIdSchema,
} from './ids.ts';
export type { Immutable } from './immutable.ts';
export { isJsonObject, JsonDepthError, maximumJsonDepth, parseJson } from './json.ts';
export {
  type JsonRpcRequest,
  jsonRpcRequestSchema,
  jsonRpcText,
  parseBody,
  parseJsonRpcBody,
  readJsonRpcRequest,
} from './json-rpc.ts';
export { idOf, type JsonRpcId, jsonRpcIdSchema } from './json-rpc-id.ts';
export {
  type CancelTaskRequest,
  cancelTaskRequestSchema,
  type GetTaskRequest,
  getTaskRequestSchema,
  type ListTasksRequest,
  listTasksRequestSchema,
  type Operation,
  operations,
  pageSizeSchema,
  type SendMessageRequest,
  type SubscribeToTaskRequest,
  sendMessageRequestSchema,
  subscribeToTaskRequestSchema,
} from './operations.ts';
export {
  type CreateOwnerRequest,
  changeOrganizationRequestSchema,
  changePersonRequestSchema,
  createOwnerRequestSchema,
  type HandleOwner,
  type OwnerPerson,
  type OwnerRecord,
  type OwnerResource,
  ownerRecordSchema,
  ownerResourceSchema,
  type PersonRecord,
} from './owners.ts';
export { protoBoolean, protoEnum, protoInteger, protoObject } from './proto-json.ts';
export {
  type DeletePushConfigRequest,
  type GetPushConfigRequest,
  inlinePushConfigSchema,
  type ListPushConfigsRequest,
  listPushConfigsRequestSchema,
  type PushConfig,
  type PushConfigInput,
  type PushConfigPage,
  type PushEvent,
  type PushForm,
  pushEventSchema,
  pushFormSchema,
} from './push-configs.ts';
export {
  addArtifactRequestSchema,
  createTaskRequestSchema,
  type ListTasksPage,
  listTasksPageSchema,
  listTasksQuerySchema,
  replyRequestSchema,
  type SettableState,
  setStatusRequestSchema,
  taskAnswerSchema,
} from './rest.ts';
export {
  type ClientFrame,
  clientFrameSchema,
  closeCodeMeanings,
  closeCodes,
  type DisconnectReason,
  disconnectReasons,
  heartbeatIntervalMilliseconds,
  maximumInFlight,
  restartPing,
  type ServerFrame,
  type SocketErrorCode,
  serverFrameSchema,
  socketErrorCodes,
  socketErrorMeanings,
  socketQuerySchema,
} from './socket.ts';
export {
  listTaskChangesQuerySchema,
  type TaskChangesPage,
  type TaskChangeView,
  taskChangesPageSchema,
} from './task-changes.ts';
export {
  createTokenRequestSchema,
  newTokenSchema,
  type TokenRecord,
  type TokenResource,
  tokenResourceSchema,
  tokenSchema,
} from './tokens.ts';
export { validate } from './validate.ts';

export {
  changeSubscriptionRequestSchema,
  createSubscriptionRequestSchema,
  type DeliveriesPage,
  type DeliveryAttempt,
  type DeliveryStatus,
  deliveriesPageSchema,
  deliveryAttemptSchema,
  deliveryStatuses,
  listDeliveriesQuerySchema,
  type NewSubscription,
  newSubscriptionSchema,
  type RedriveAnswer,
  type RotatedSecret,
  redriveAnswerSchema,
  redriveRequestSchema,
  rotatedSecretSchema,
  type Subscription,
  subscriptionSchema,
  type WebhookDelivery,
  webhookDeliverySchema,
} from './webhooks.ts';
