import { RelayAgent } from '@relay/sdk';
import { serveCalls } from '../remote/serve-calls.ts';
import { agentSchema } from './orders.ts';

serveCalls({
  connect: async (order) => {
    const { origin, token } = agentSchema.parse(order);
    const relayAgent = new RelayAgent({ url: origin, token });
    await relayAgent.onMessage(async (message) => void (await message.reply('done')), {
      onError: (error) => {
        throw error;
      },
    });
  },
});
