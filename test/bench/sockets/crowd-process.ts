import { serveCalls } from '../remote/serve-calls.ts';
import { Crowd } from './crowd.ts';
import { crowdSchema, receiveSchema } from './orders.ts';

let crowd: Crowd | undefined;

function gathered(): Crowd {
  if (!crowd) throw new Error('no sockets were opened');
  return crowd;
}

serveCalls({
  open: (order) => {
    crowd = new Crowd(crowdSchema.parse(order));
    return crowd.open();
  },
  reopen: () => {
    gathered().cut();
    return gathered().open();
  },
  receive: (order) => gathered().receive(receiveSchema.parse(order).events),
});
