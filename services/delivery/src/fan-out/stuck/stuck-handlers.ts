import type { Bus } from '@relay/bus';
import type { DeliveryOperation } from '@relay/domain';
import type { Handlers } from '../../delivery-handler.ts';
import type { PushWriter } from '../../push/push-writer.ts';
import { listStuck } from './list-stuck.ts';
import { redriveStuck } from './redrive-stuck.ts';

type Operation = Extract<DeliveryOperation, 'list-stuck' | 'redrive-stuck'>;

/** Executes what the administrator asks about messages that were set aside. */
export function stuckHandlers(bus: Bus, pushes: PushWriter | undefined): Handlers<Operation> {
  return {
    'list-stuck': (command) => listStuck(bus, command),
    'redrive-stuck': ({ stuckId }, deadline) => redriveStuck({ bus, pushes }, stuckId, deadline),
  };
}
