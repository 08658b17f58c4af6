import { type Config, type MainContext, tellOperator } from '@relay/runtime';
import { isLoopback, localOrigin } from './address.ts';
import { renderBanner } from './banner.ts';
import { loadOrCreateCredentials, saveCredentials } from './credentials.ts';
import { startDemoAgents } from './demo/start-demo-agents.ts';
import { registerDemoAgents } from './demo-registration.ts';
import { lockDataDirectory } from './embedded/data-directory.ts';
import { startFoundation } from './foundation.ts';
import { requireFreePort } from './free-port.ts';
import { loadOrCreateSecretKeys } from './secret-keys.ts';
import { startServices } from './services.ts';

/** The whole relay in one process. */
export async function startRelay(context: MainContext): Promise<void> {
  const { config, logger, lifecycle } = context;
  const { dataDir, adminToken, demo } = config;
  warnBeyondLoopback(config);
  await lifecycle.start(
    'data directory',
    () => lockDataDirectory(dataDir),
    (unlock) => unlock(),
  );
  await requireFreePort(config);
  const foundation = await startFoundation(context);
  const credentials = loadOrCreateCredentials({ dataDir, adminToken, url: originOf(config) });
  if (demo) await registerDemoAgents(foundation.registry, credentials.agents, logger);

  const serviceConfig = { ...config, adminToken: credentials.admin_token };
  const secretKeys = loadOrCreateSecretKeys(config);
  const { port } = await startServices(
    { ...context, config: serviceConfig },
    { ...foundation, secretKeys },
  );
  const url = originOf({ ...config, port });
  if (url !== credentials.url) saveCredentials(dataDir, { ...credentials, url });
  if (demo) {
    await lifecycle.start(
      'demo agents',
      () =>
        startDemoAgents({
          url: localOrigin(config.host, port),
          tokens: credentials.agents,
          logger,
        }),
      (agents) => agents.stop(),
    );
  }
  process.stdout.write(`\n${renderBanner({ url, dataDir, demo })}\n`);
}

const originOf = ({ publicUrl, host, port }: Config) => publicUrl ?? localOrigin(host, port);

function warnBeyondLoopback({ host }: Config): void {
  if (isLoopback(host)) return;
  tellOperator(`warning: listening on ${host}, which others can reach; put TLS in front of it`);
}
