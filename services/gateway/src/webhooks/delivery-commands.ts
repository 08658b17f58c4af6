import type {
  DeliveryCommand,
  DeliveryOperation,
  DeliveryOperations,
  DeliveryPort,
} from '@relay/domain';
import { type AgentId, RelayError, timestampAt } from '@relay/protocol';

/** Milliseconds after which a command must not be executed any more. */
const commandLifetime = 10_000;
/** A test waits for the receiver. */
const testLifetime = 20_000;

/** Has delivery do what agents ask of their webhooks. */
export class DeliveryCommands {
  readonly #port: DeliveryPort;

  constructor(port: DeliveryPort) {
    this.#port = port;
  }

  /** @throws RelayError where the command is refused */
  async execute<Operation extends DeliveryOperation>(
    command: DeliveryCommand<Operation>,
  ): Promise<DeliveryOperations[Operation]['result']> {
    const lifetime = command.type === 'test-subscription' ? testLifetime : commandLifetime;
    const reply = await this.#port.execute(command, Date.now() + lifetime);
    if (reply.type === 'refused') throw new RelayError(reply.refusal);
    return reply.result;
  }
}

/** What every command holds. */
export function commandFields(agentId: AgentId) {
  return { agentId, at: timestampAt(Date.now()) };
}
