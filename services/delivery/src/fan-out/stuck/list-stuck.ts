import { type Bus, readStuck, readStuckKey, type StreamMessage, subjects } from '@relay/bus';
import type { DeliveryCommand } from '@relay/domain';
import {
  RelayError,
  type StuckMessage,
  type StuckPage,
  stuckMessageIdSchema,
  timestampAt,
} from '@relay/protocol';
import { scanHeads } from '../../webhook/scan-deliveries.ts';

/**
 * A page of what was set aside, the oldest first. It reads the heads of all that is.
 * @throws RelayError invalidParams for a token that is none
 */
export async function listStuck(
  bus: Bus,
  { pageSize, pageToken }: Pick<DeliveryCommand<'list-stuck'>, 'pageSize' | 'pageToken'>,
): Promise<StuckPage> {
  const after = pageToken === undefined ? 0 : readToken(pageToken);
  const found: number[] = [];
  await scanHeads(bus, subjects.allStuck, ({ sequence }) => {
    if (sequence > after && found.length <= pageSize) found.push(sequence);
  });
  const page = found.slice(0, pageSize);
  const { stream } = bus.deliveries;
  const read = await Promise.all(page.map((sequence) => stream.readAt(sequence)));
  return {
    messages: read.flatMap((message) => (message ? [toStuckMessage(message)] : [])),
    next_page_token: found.length > pageSize ? String(page.at(-1)) : '',
  };
}

function toStuckMessage(message: StreamMessage): StuckMessage {
  const { reader, sequence } = readStuckKey(message);
  const { subject, at } = readStuck(message);
  return {
    id: stuckMessageIdSchema.parse(`${reader}_${sequence}`),
    reader,
    sequence,
    subject,
    set_aside_at: at === undefined ? null : timestampAt(at),
  };
}

function readToken(token: string): number {
  if (/^[1-9]\d{0,15}$/.test(token)) return Number(token);
  throw new RelayError({ error: 'invalidParams', message: 'The page token is not one of a list.' });
}
