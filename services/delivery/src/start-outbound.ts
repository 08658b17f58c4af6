import { createOutbound, type Listener, type Outbound } from '@relay/outbound';
import { type MainContext, tellOperator } from '@relay/runtime';

/**
 * The way out of this process to what users name, with a warning where it may lead to private networks.
 * @param ownListeners where the process listens, which is never a target; they may be added later
 */
export function startOutbound(
  { config, lifecycle }: MainContext,
  ownListeners: readonly Listener[],
): Promise<Outbound> {
  const { allowPrivateTargets: allowedNetworks = [] } = config;
  if (allowedNetworks.length > 0) {
    tellOperator(`warning: webhooks may reach ${allowedNetworks.join(', ')}, by plain http too`);
  }
  return lifecycle.start(
    'outbound',
    () => createOutbound({ allowedNetworks, ownListeners }),
    (outbound) => outbound.close(),
  );
}
