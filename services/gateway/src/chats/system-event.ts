import { type ChatChange, type ChatSnapshot, memberOf, viewMember } from '@relay/domain';
import type { AgentId, ChatHandle, ReadPart } from '@relay/protocol';

type GroupChange = Exclude<ChatChange, { type: 'message-sent' | 'upgraded' | 'read' }>;

/** What a group's history tells beside its messages, by the names that events have. */
type SystemEvent =
  | 'participant.added'
  | 'participant.removed'
  | 'chat.group_name_updated'
  | 'chat.group_icon_updated';

/** Whether members see the change in the history. */
export function isGroupChange(change: ChatChange): change is GroupChange {
  return change.type !== 'message-sent' && change.type !== 'upgraded' && change.type !== 'read';
}

export function systemEventOf(change: GroupChange): SystemEvent {
  switch (change.type) {
    case 'member-added':
      return 'participant.added';
    case 'member-removed':
    case 'member-left':
      return 'participant.removed';
    case 'group-changed':
      return change.displayName === undefined
        ? 'chat.group_icon_updated'
        : 'chat.group_name_updated';
  }
}

/** Who did what, as it was right after it. */
export function viewSystemPart(
  change: GroupChange,
  then: ChatSnapshot,
  viewerId: AgentId,
): ReadPart {
  const handleOf = (id: AgentId): ChatHandle => viewMember(memberOf(then, id), viewerId);
  const part = { type: 'system', event: systemEventOf(change) } as const;
  switch (change.type) {
    case 'member-added':
      return { ...part, by: handleOf(change.byId), participant: handleOf(change.contact.id) };
    case 'member-removed':
      return { ...part, by: handleOf(change.byId), participant: handleOf(change.agentId) };
    case 'member-left':
      return { ...part, by: handleOf(change.agentId), participant: handleOf(change.agentId) };
    case 'group-changed': {
      const { displayName: display_name, iconUrl: group_chat_icon } = then;
      return { ...part, by: handleOf(change.byId), display_name, group_chat_icon };
    }
  }
}
