import { setTimeout as sleep } from 'node:timers/promises';
import { runMain, StartupError } from '@relay/runtime';

/** A service whose whole work is to start, stop or fail as it is told. */
const [behavior] = process.argv.slice(2);

await runMain({
  service: 'test',
  environment: process.env,
  start: async ({ lifecycle, logger }) => {
    if (behavior === 'cannot start') throw new StartupError('the port is taken');
    await lifecycle.start(
      'work',
      () => setInterval(() => undefined, 1_000),
      async (work) => {
        if (behavior === 'never stops') await sleep(60_000);
        clearInterval(work);
        if (behavior !== 'tells much') return;
        for (let n = 0; n < 20_000; n += 1) logger.warn({ n }, 'told');
        // By then lines are on their way.
        await sleep(200);
      },
    );
    process.stdout.write('started\n');
    if (behavior === 'fails later') void Promise.reject(new Error('a bug'));
  },
});
