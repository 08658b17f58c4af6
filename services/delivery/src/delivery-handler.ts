import type {
  DeliveryCommand,
  DeliveryOperation,
  DeliveryOperations,
  DeliveryPort,
} from '@relay/domain';
import { type Refusal, RelayError } from '@relay/protocol';
import { type Logger, observeCommand } from '@relay/runtime';

/** What executes each operation. It refuses by a RelayError. */
export type Handlers<Operation extends DeliveryOperation> = {
  readonly [Type in Operation]: (
    command: DeliveryCommand<Type>,
    deadline: number,
  ) => Promise<DeliveryOperations[Type]['result']>;
};

interface Asked {
  readonly type: DeliveryOperation;
}

/** Executes whatever can be asked of delivery. */
export function createDeliveryHandler(
  handlers: Handlers<DeliveryOperation>,
  logger: Logger,
): DeliveryPort {
  const refusalOf = (error: unknown, command: Asked): Refusal => {
    if (error instanceof RelayError) return error.refusal;
    const { type } = command;
    const agentId = 'agentId' in command ? command.agentId : undefined;
    logger.error({ err: error, type, agentId }, 'delivery_command.failed');
    return { error: 'internal' };
  };
  return {
    execute: async (command, deadline) => {
      const since = performance.now();
      const observe = (refusal?: Refusal) =>
        observeCommand(command.type, { refusal: refusal?.error }, performance.now() - since);
      try {
        const result = await handlers[command.type](command, deadline);
        observe();
        return { type: 'done', result };
      } catch (error) {
        const refusal = refusalOf(error, command);
        observe(refusal);
        return { type: 'refused', refusal };
      }
    },
  };
}
