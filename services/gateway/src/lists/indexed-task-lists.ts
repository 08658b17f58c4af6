import { type Bus, contextKeyOf } from '@relay/bus';
import { type AgentId, type TaskId, type TaskState, taskIdSchema } from '@relay/protocol';
import type { TaskIndex, TaskIndexPage, TaskIndexQuery, TaskSelection } from '@relay/store';
import { decodePageToken, encodePageToken, indexPositionSchema } from './page-token.ts';
import { ProjectionWait } from './projection-wait.ts';

/** The tasks of one side, latest update first, or those between two agents, latest status first. */
export interface TaskListQuery {
  readonly requesterId?: AgentId | undefined;
  readonly calleeId?: AgentId | undefined;
  readonly state?: TaskState | undefined;
  /** Only together with both agents. */
  readonly contextId?: string | undefined;
  /** Milliseconds since the epoch, inclusive. */
  readonly statusAfter?: number | undefined;
  readonly pageSize: number;
  readonly pageToken?: string | undefined;
}

export interface TaskList {
  readonly taskIds: readonly TaskId[];
  /** Empty at the end. */
  readonly nextPageToken: string;
  /** Before paging. */
  readonly totalSize: number;
  /** A token to go on after the task at that place of the page, for who had to stop short. */
  tokenAfter(place: number): string;
}

/** Lists that are never stale: each waits until the index has reached the record as it was asked. */
export class IndexedTaskLists {
  readonly #bus: Bus;
  readonly #index: TaskIndex;
  readonly #projection: ProjectionWait;

  constructor(bus: Bus, index: TaskIndex) {
    this.#bus = bus;
    this.#index = index;
    this.#projection = new ProjectionWait(bus);
  }

  /** @throws RelayError invalidParams for a bad page token, unavailable while Redis is away or behind */
  async list(query: TaskListQuery): Promise<TaskList> {
    const { pageSize, pageToken, ...filter } = query;
    const after = pageToken ? decodePageToken(filter, pageToken, indexPositionSchema) : undefined;
    // One more than the page tells whether another page follows.
    const page = await this.#page({
      selection: selectionOf(filter),
      state: filter.state,
      notBefore: filter.statusAfter,
      after,
      limit: pageSize + 1,
    });
    const tasks = page.tasks.slice(0, pageSize);
    const tokenAfter = (place: number) => {
      const position = tasks[place];
      return position ? encodePageToken(filter, position) : '';
    };
    return {
      taskIds: tasks.map(({ taskId }) => taskIdSchema.parse(taskId)),
      nextPageToken: page.tasks.length > pageSize ? tokenAfter(pageSize - 1) : '',
      totalSize: page.totalSize,
      tokenAfter,
    };
  }

  close(): void {
    this.#projection.close();
  }

  #page(query: TaskIndexQuery): Promise<TaskIndexPage> {
    return this.#projection.reached(this.#bus.tasks.stream, (sequence) =>
      this.#index.list(query, sequence),
    );
  }
}

function selectionOf(filter: Omit<TaskListQuery, 'pageSize' | 'pageToken'>): TaskSelection {
  const { requesterId, calleeId, contextId } = filter;
  if (requesterId && calleeId) {
    const contextKey = contextId ? contextKeyOf(contextId) : undefined;
    return { side: 'both', requesterId, calleeId, contextKey };
  }
  if (requesterId) return { side: 'requester', agentId: requesterId };
  if (calleeId) return { side: 'callee', agentId: calleeId };
  throw new Error('A list is of the tasks of at least one agent');
}
