import type {
  DeliveryCommand,
  DeliveryOperation,
  DeliveryOperations,
  DeliveryPort,
} from '@relay/domain';
import { type AgentId, type Refusal, RelayError } from '@relay/protocol';
import type { Logger } from '@relay/runtime';

/** What executes each operation. It refuses by a RelayError. */
export type Handlers<Operation extends DeliveryOperation> = {
  readonly [Type in Operation]: (
    command: DeliveryCommand<Type>,
    deadline: number,
  ) => Promise<DeliveryOperations[Type]['result']>;
};

interface Asked {
  readonly type: DeliveryOperation;
  readonly agentId: AgentId;
}

/** Executes whatever can be asked of delivery. */
export function createDeliveryHandler(
  handlers: Handlers<DeliveryOperation>,
  logger: Logger,
): DeliveryPort {
  const refusalOf = (error: unknown, { type, agentId }: Asked): Refusal => {
    if (error instanceof RelayError) return error.refusal;
    logger.error({ err: error, type, agentId }, 'delivery_command.failed');
    return { error: 'internal' };
  };
  return {
    execute: async (command, deadline) => {
      try {
        return { type: 'done', result: await handlers[command.type](command, deadline) };
      } catch (error) {
        return { type: 'refused', refusal: refusalOf(error, command) };
      }
    },
  };
}
