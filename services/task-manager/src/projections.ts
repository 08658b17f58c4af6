import { type Bus, readChatIndex, readRegistryWrite, readTaskIndex, subjects } from '@relay/bus';
import type {
  ChatIndex,
  DirectoryEntry,
  DirectoryIndex,
  IndexedChat,
  IndexedTask,
  TaskIndex,
} from '@relay/store';
import { toDirectoryEntry } from './directory-entry.ts';
import type { Projection } from './projector.ts';

/** Tasks for lists. A message in a chat is none until it becomes one. */
export function taskProjection(bus: Bus, index: TaskIndex): Projection<IndexedTask> {
  return {
    record: bus.tasks.stream,
    subjects: subjects.allTasks,
    read: (message) => {
      const entry = readTaskIndex(message);
      return { changeId: entry.changeId, entry: 'exchange' in entry ? undefined : entry };
    },
    progress: () => index.progress(),
    clear: () => index.clear(),
    apply: (entries, expected, progress) => {
      // Of several changes of one task only the last one counts.
      const tasks = new Map(entries.map((task) => [task.taskId, task]));
      return index.apply([...tasks.values()], expected, progress);
    },
  };
}

/** Chats and messages for lists and pages. */
export function chatProjection(bus: Bus, index: ChatIndex): Projection<IndexedChat> {
  return {
    record: bus.chats.stream,
    subjects: subjects.allChats,
    read: (message) => {
      const entry = readChatIndex(message);
      return { changeId: entry.changeId, entry };
    },
    progress: () => index.progress(),
    clear: () => index.clear(),
    apply: (entries, expected, progress) => index.apply(entries, expected, progress),
  };
}

/** Public agents for the directory and lookups. */
export function directoryProjection(
  { registryRecords }: Bus,
  index: DirectoryIndex,
): Projection<DirectoryEntry> {
  return {
    record: registryRecords,
    subjects: subjects.key('registry', '>'),
    needsBodies: true,
    // An agent takes 0.3 ms of Redis, in which nobody else is answered.
    largestBatch: 100,
    read: (message) => {
      const { changeId, change } = readRegistryWrite(message);
      return { changeId, entry: change && toDirectoryEntry(change) };
    },
    progress: () => index.progress(),
    clear: () => index.clear(),
    apply: (entries, expected, progress) => index.apply(entries, expected, progress),
  };
}
