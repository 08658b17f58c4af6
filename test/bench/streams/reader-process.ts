import { z } from 'zod';
import { serveCalls } from '../remote/serve-calls.ts';
import { OpenStreams } from './open-streams.ts';
import { openStreamsSchema } from './orders.ts';

let streams: OpenStreams | undefined;

serveCalls({
  open: (order) => {
    const { target, count } = openStreamsSchema.parse(order);
    streams = new OpenStreams(target);
    return streams.open(count);
  },
  take: (count) => streams?.take(z.int().parse(count)),
});
