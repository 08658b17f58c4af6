import type { Registry, TaskRecord } from '@relay/bus';
import type { Config } from '@relay/runtime';
import type { Rates } from '@relay/store';
import type { CardSigner } from './card/card-signer.ts';
import type { Chats } from './chats/chat-commands.ts';
import type { ChatPages } from './chats/chat-pages.ts';
import type { Idempotency } from './chats/idempotency.ts';
import type { Directory } from './directory/directory.ts';
import type { Authentication } from './http/authentication.ts';
import type { InFlight } from './http/in-flight.ts';
import type { KeepAlive } from './streaming/keep-alive.ts';
import type { TaskCommands } from './tasks/task-commands.ts';
import type { TaskLists } from './tasks/task-lists.ts';
import type { FollowedTasks } from './waiting/followed-tasks.ts';
import type { OpenCalls } from './waiting/open-calls.ts';
import type { DeliveryCommands } from './webhooks/delivery-commands.ts';

/** What the handlers of all routes share. */
export interface GatewayContext {
  readonly config: Config;
  readonly registry: Registry;
  readonly authentication: Authentication;
  readonly record: TaskRecord;
  readonly commands: TaskCommands;
  readonly chats: Chats;
  readonly chatPages: ChatPages;
  readonly directory: Directory;
  readonly idempotency: Idempotency;
  readonly rates: Rates;
  readonly deliveryCommands: DeliveryCommands;
  readonly taskLists: TaskLists;
  readonly followedTasks: FollowedTasks;
  readonly inFlight: InFlight;
  readonly openCalls: OpenCalls;
  readonly keepAlive: KeepAlive;
  readonly cardSigner: CardSigner;
}
