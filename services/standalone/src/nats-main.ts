import { runMain } from '@relay/runtime';
import { lockDataDirectory } from './embedded/data-directory.ts';
import { findRunningNats } from './embedded/nats-server.ts';
import { startEmbeddedNats } from './embedded/servers.ts';

/**
 * For tools that work on the data of a relay: prints the URL of its NATS, or null, as one line of JSON. With
 * `--start` it starts NATS where none runs, and keeps it until it is told to stop, or its standard input ends.
 */
await runMain({
  service: 'nats',
  environment: process.env,
  start: async ({ config: { dataDir }, logger, lifecycle }) => {
    let url = await findRunningNats(dataDir);
    if (url === undefined && process.argv.includes('--start')) {
      await lifecycle.start(
        'data directory',
        () => lockDataDirectory(dataDir),
        (unlock) => unlock(),
      );
      const server = await lifecycle.start(
        'nats-server',
        () => startEmbeddedNats({ dataDir, logger }),
        (started) => started.stop(),
      );
      url = server.url;
      // Whoever asked may be killed, and cannot tell it then.
      process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
    }
    process.stdout.write(`${JSON.stringify({ url: url ?? null })}\n`);
  },
});
