import { describe, expect, it } from 'vitest';
import { AckLedger } from './ack-ledger.ts';
import { ProtocolError } from './socket-error.ts';

function ledgerWith(acknowledged: bigint, received: bigint[]): AckLedger {
  const ledger = new AckLedger(acknowledged);
  for (const sequence of received) ledger.receive(sequence);
  return ledger;
}

describe('AckLedger', () => {
  it('acknowledges in order what is handled in order', () => {
    const ledger = ledgerWith(0n, [1n, 2n]);
    expect(ledger.handled(1n)).toBe(1n);
    expect(ledger.handled(2n)).toBe(2n);
  });

  it('holds an acknowledgement back until all earlier events are handled', () => {
    const ledger = ledgerWith(4n, [5n, 6n, 7n]);
    expect(ledger.handled(7n)).toBeUndefined();
    expect(ledger.handled(6n)).toBeUndefined();
    expect(ledger.handled(5n)).toBe(7n);
  });

  it('refuses a gap', () => {
    expect(() => ledgerWith(4n, [6n])).toThrow(ProtocolError);
    expect(() => ledgerWith(4n, [5n, 7n])).toThrow('Event 7 came after 5.');
  });

  it('takes what comes again without acknowledging it twice', () => {
    const ledger = ledgerWith(4n, [5n, 3n, 5n, 6n]);
    expect(ledger.handled(3n)).toBeUndefined();
    expect(ledger.handled(5n)).toBe(5n);
    expect(ledger.handled(5n)).toBeUndefined();
    expect(ledger.handled(6n)).toBe(6n);
  });

  it('counts past what a number can hold', () => {
    const ledger = ledgerWith(9_007_199_254_740_992n, [9_007_199_254_740_993n]);
    expect(ledger.handled(9_007_199_254_740_993n)).toBe(9_007_199_254_740_993n);
  });
});
