import type { WebhooksResult } from '../webhooks/measure-webhooks.ts';
import { formatShare, formatSpread } from './numbers.ts';
import { renderTable } from './table.ts';

export function renderWebhooks(title: string, result: WebhooksResult): string {
  return [
    `## ${title}`,
    renderTable('lr', [
      ['', 'median (lowest..highest)'],
      ['live, deliveries/s', formatSpread(result.live)],
      ['live, each event to four endpoints, deliveries/s', formatSpread(result.liveToFour)],
      ['draining a backlog, deliveries/s', formatSpread(result.drain)],
      ['bare signed POSTs to the same receiver, /s', formatSpread(result.bare)],
      ['drain / bare', formatShare(result.drainShare)],
      ['status call to webhook at 500/s, p50 ms', formatSpread(result.p50, 1)],
      ['status call to webhook at 500/s, p99 ms', formatSpread(result.p99, 1)],
      ['the same beside 20 % black holes, p99 ms', formatSpread(result.p99BesideHoles, 1)],
      ['p99 beside black holes / without', formatShare(result.p99Ratio)],
    ]),
  ].join('\n\n');
}
