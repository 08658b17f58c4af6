/** What an agent written in TypeScript needs: serve tasks over a WebSocket, and send tasks to others. */
export type {
  AgentCard,
  Artifact,
  ContactCard,
  ContactCardChange,
  ContactCardItem,
  DirectoryAgent,
  DirectoryPage,
  DirectoryQuery,
  EventEnvelope,
  FoundAgent,
  ListTasksResponse,
  LookedUpContact,
  Message,
  Part,
  SendMessageResponse,
  SettableState,
  StreamResponse,
  Task,
  TaskState,
} from '@relay/protocol';
export type { ChatHandler, ChatMessage } from './chat/chat-message.ts';
export type { ContactName } from './client/directory.ts';
export { type MessageContent, type OutgoingMessage, textOf } from './client/messages.ts';
export type {
  GetTaskOptions,
  RequestOptions,
  SendOptions,
  StreamOptions,
} from './client/remote-agents.ts';
export type { TaskStream } from './client/task-stream.ts';
export { HttpClient, type HttpRequest } from './http/http-client.ts';
export { RelayRequestError } from './http/request-error.ts';
export type { EventHandler } from './listen/event-queue.ts';
export type { Listener, ListenOptions } from './listen/listener.ts';
export { RelayAgent, type RelayAgentOptions } from './relay-agent.ts';
export type { NewArtifact } from './serve/assigned-tasks.ts';
export type { ServeOptions } from './serve/serve.ts';
export type { TaskContext, TaskHandler } from './serve/task-context.ts';
export type { FullSync } from './socket/connection.ts';
export { ProtocolError, RelaySocketError } from './socket/socket-error.ts';
export { verifyWebhook, type WebhookRequest, WebhookVerificationError } from './webhook.ts';
