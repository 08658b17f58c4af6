import { withFullSyncDue } from './feed-record.ts';
import type { FeedRecordKeeper } from './feed-record-keeper.ts';
import { findLoss, type LossQuestion } from './loss.ts';

/**
 * Settles events that are gone by one write, before anybody is told: a full sync stands for them.
 * @throws RelayError unavailable
 */
export async function settleLoss(
  keeper: FeedRecordKeeper,
  question: Omit<LossQuestion, 'record'>,
): Promise<void> {
  const { restoredAt } = question;
  for (let isSettled = false; !isSettled; ) {
    const { record } = keeper;
    const left = await findLoss({ ...question, record });
    if (!left) return;
    await keeper.change((latest) => {
      isSettled = latest === record;
      return isSettled ? withFullSyncDue(record, { ...left, restoredAt }) : undefined;
    });
  }
}
