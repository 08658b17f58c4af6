import { tell } from '../report/tell.ts';
import { renderWebhooks } from '../report/webhooks-report.ts';
import { measureWebhooks } from '../webhooks/measure-webhooks.ts';
import { WebhookSite } from '../webhooks/webhook-site.ts';
import type { Bench } from './bench.ts';

/** Of each slice, for each second of it. */
const tasksPerSecond = 500;

/** How fast changes go out as webhooks, alone and beside endpoints that never answer. */
export const benchWebhooks: Bench = async ({ options, relay }) => {
  tell('starting relay, one process');
  const site = await WebhookSite.start(relay);
  try {
    const tasks = Math.round(tasksPerSecond * options.seconds);
    const result = await measureWebhooks(site, options, tasks);
    const title = `webhooks: ${tasks} events of 2 KB to 20 endpoints, ${options.rounds} rounds`;
    return { text: renderWebhooks(title, result), data: [{ title, result }] };
  } finally {
    await site.stop();
  }
};
