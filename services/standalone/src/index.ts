export { lockDataDirectory } from './embedded/data-directory.ts';
export { launchNats } from './embedded/nats-server.ts';
export { isRunning, readProcessRecord } from './embedded/process-record.ts';
export { chooseRedisSocket, launchRedis } from './embedded/redis-server.ts';
export { startEmbeddedNats, startEmbeddedRedis } from './embedded/servers.ts';
