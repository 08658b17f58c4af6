import { createLogger } from '@relay/runtime';
import { lockDataDirectory, startEmbeddedNats, startEmbeddedRedis } from '@relay/standalone';

/** A process of its own that embeds the servers, so that a test can kill it. */
const [dataDir = ''] = process.argv.slice(2);
const logger = createLogger({ logLevel: 'silent' }, 'test');

lockDataDirectory(dataDir);
const nats = await startEmbeddedNats({ dataDir, logger });
const redis = await startEmbeddedRedis({ dataDir, logger });
process.stdout.write(`${JSON.stringify({ natsUrl: nats.url, redisUrl: redis.url })}\n`);
