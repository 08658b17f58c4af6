import { startNats, startRedis } from '../../support/servers.ts';
import { relayVariants } from '../contenders/relays.ts';
import { Teardown } from '../contenders/teardown.ts';
import { measurePages } from '../pages/measure-pages.ts';
import { type PagesOutcome, renderPages } from '../report/pages-report.ts';
import { tell } from '../report/tell.ts';
import type { Bench } from './bench.ts';

const shortChat = 100;

/** Whether a long chat is paged as fast as a short one. */
export const benchPages: Bench = async ({ options, relay: settings }) => {
  const outcomes: PagesOutcome[] = [];
  for (const variant of relayVariants.filter(({ name }) => name.includes(options.only))) {
    const { name } = variant;
    tell(`starting ${name}`);
    const teardown = new Teardown();
    // Its own: the long chat is written past the API, which would take minutes.
    const nats = await teardown.start(startNats, (server) => server.stop());
    const redis = await teardown.start(startRedis, (server) => server.stop());
    const environment = {
      ...settings.environment,
      RELAY_NATS_URL: nats.url,
      RELAY_REDIS_URL: redis.url,
    };
    const relay = await teardown.start(
      () => variant.start({ ...settings, environment }),
      (started) => started.stop(),
    );
    const lengths = [shortChat, options.chat];
    outcomes.push({ name, pages: await measurePages(relay, nats.url, { ...options, lengths }) });
    await teardown.run();
  }
  const title = `pages of 50 of a chat with ${shortChat} messages and of one with ${options.chat}`;
  return { text: renderPages(title, outcomes), data: [{ title, outcomes }] };
};
