/** Whom a route is for. Every route has its place here: one without has not been thought of. */
type RouteKind = keyof typeof routeKinds;

/** Whose token a caller has. */
type TokenKind = 'nobody' | 'unknown' | 'administrator' | 'organization' | 'person' | 'agent';

/** By operation, without the suffixes of its twins. */
const routeKinds = {
  anyone: [
    'isAlive',
    'isReady',
    'getMetrics',
    'listDirectory',
    'getRootAgentCard',
    'getOldestRootAgentCard',
    'getKeySet',
    'getAgentCard',
    'getWellKnownAgentCard',
    'getOldestAgentCard',
    'getAgentCardOrPage',
    'getOpenApi',
    'getAsyncApi',
    'getEventsPage',
  ],
  agent: [
    'createTask',
    'listTasks',
    'getTask',
    'setTaskStatus',
    'addArtifact',
    'replyToTask',
    'cancelTask',
    'listTaskChanges',
    'createMessage',
    'createChat',
    'listChats',
    'sendToChat',
    'listMessages',
    'getChat',
    'changeChat',
    'markAsRead',
    'getMessage',
    'listThread',
    'addParticipant',
    'removeParticipant',
    'leaveChat',
    'getMe',
    'changeMe',
    'listEventTypes',
    'getAccessLists',
    'setAccess',
    'removeAccess',
    'listBlockedHandles',
    'blockHandle',
    'unblockHandle',
    'getContactCard',
    'setContactCard',
    'changeContactCard',
    'createWebhookSubscription',
    'listWebhookSubscriptions',
    'getWebhookSubscription',
    'changeWebhookSubscription',
    'deleteWebhookSubscription',
    'rotateWebhookSecret',
    'testWebhookSubscription',
    'listWebhookDeliveries',
    'getWebhookDelivery',
    'redriveWebhookDelivery',
    'redriveWebhookDeliveries',
  ],
  agentOrOwner: ['lookUpContact'],
  manager: [
    'createAgent',
    'listAgents',
    'getAgent',
    'changeAgent',
    'deleteAgent',
    'createToken',
    'listTokens',
    'revokeToken',
  ],
  administrator: [
    'createOwner',
    'listOwners',
    'getOwner',
    'changeOwner',
    'deleteOwner',
    'createOwnerToken',
    'listOwnerTokens',
    'revokeOwnerToken',
    'listStuckMessages',
    'redriveStuckMessage',
    'rewrapSecrets',
  ],
  address: [
    'callAgent',
    'a2aSendMessage',
    'a2aSendStreamingMessage',
    'a2aListTasks',
    'a2aGetTask',
    'a2aCancelTask',
    'a2aSubscribeToTask',
    'a2aSubscribeToTaskByGet',
    'a2aCreateTaskPushNotificationConfig',
    'a2aListTaskPushNotificationConfigs',
    'a2aGetTaskPushNotificationConfig',
    'a2aDeleteTaskPushNotificationConfig',
    'a2aGetExtendedAgentCard',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Those to an agent's own things have a twin for who manages it. */
export function kindOf(operationId: string): RouteKind | undefined {
  if (operationId.endsWith('OfAgent')) return 'manager';
  const name = operationId.replace(/(?:V03)?(?:UnderA2a)?$/, '');
  const isOf = (kind: RouteKind) => routeKinds[kind].some((each) => each === name);
  return kinds.find(isOf);
}

const kinds: readonly RouteKind[] = [
  'anyone',
  'agent',
  'agentOrOwner',
  'manager',
  'administrator',
  'address',
];

/** Which statuses callers without a token that is good for the route are answered with. */
export const refusedWith: Readonly<
  Record<RouteKind, Readonly<Record<TokenKind, number | undefined>>>
> = (() => {
  const all = { nobody: 401, unknown: 401, administrator: 403, organization: 403, person: 403 };
  const none = { administrator: undefined, organization: undefined, person: undefined };
  return {
    anyone: { ...none, nobody: undefined, unknown: undefined, agent: undefined },
    agent: { ...all, agent: undefined },
    agentOrOwner: { ...all, organization: undefined, person: undefined, agent: undefined },
    manager: { ...all, ...none, agent: 403 },
    administrator: { ...all, administrator: undefined, agent: 403 },
    address: { ...all, administrator: 401, organization: 401, person: 401, agent: undefined },
  };
})();
