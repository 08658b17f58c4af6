import type { CodecCost } from '../codecs/measure-codecs.ts';
import { format } from './numbers.ts';
import { renderTable } from './table.ts';

/** @param sendMicroseconds CPU of one send in all, of Relay and what it runs on */
export function renderCodecs(
  title: string,
  costs: readonly CodecCost[],
  sendMicroseconds: number | undefined,
): string {
  const head = ['CPU of one send', 'decode µs', 'encode µs', 'share of a send'];
  const rows = costs.map(({ version, decodeMicroseconds, encodeMicroseconds }) => [
    version,
    format(decodeMicroseconds, 1),
    format(encodeMicroseconds, 1),
    sendMicroseconds === undefined
      ? '-'
      : `${format(((decodeMicroseconds + encodeMicroseconds) * 100) / sendMicroseconds, 1)} %`,
  ]);
  const send =
    sendMicroseconds === undefined
      ? 'What a send costs was not measured.'
      : `A send costs ${format(sendMicroseconds)} µs of CPU in all, as one process.`;
  return [`## ${title}`, renderTable('lrrr', [head, ...rows]), send].join('\n\n');
}
