import { serveCalls } from '../remote/serve-calls.ts';
import { runClosedLoop } from './closed-loop.ts';
import { OpenWaits } from './open-waits.ts';
import { closedLoopSchema, openWaitsSchema } from './orders.ts';

let waits: OpenWaits | undefined;

serveCalls({
  run: (order) => runClosedLoop(closedLoopSchema.parse(order)),
  openWaits: (order) => {
    const { target, count } = openWaitsSchema.parse(order);
    waits ??= new OpenWaits(target);
    return waits.open(count);
  },
  collectWaits: async () => {
    const moments = await waits?.collect();
    waits = undefined;
    return moments;
  },
});
