import { readChatIndex, readTaskIndex, streams } from '@relay/bus';
import type { ChatIndex, IndexedChat, IndexedTask, TaskIndex } from '@relay/store';
import type { Projection } from './projector.ts';

/** Tasks for lists. A message in a chat is none until it becomes one. */
export function taskProjection(index: TaskIndex): Projection<IndexedTask> {
  return {
    stream: streams.tasks,
    read: (message) => {
      const entry = readTaskIndex(message);
      return 'exchange' in entry ? undefined : entry;
    },
    progress: () => index.progress(),
    apply: (entries, expected, progress) => {
      // Of several changes of one task only the last one counts.
      const tasks = new Map(entries.map((task) => [task.taskId, task]));
      return index.apply([...tasks.values()], expected, progress);
    },
  };
}

/** Chats and messages for lists and pages. */
export function chatProjection(index: ChatIndex): Projection<IndexedChat> {
  return {
    stream: streams.chats,
    read: readChatIndex,
    progress: () => index.progress(),
    apply: (entries, expected, progress) => index.apply(entries, expected, progress),
  };
}
