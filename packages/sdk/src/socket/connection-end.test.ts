import { describe, expect, it } from 'vitest';
import { endOfClose } from './connection-end.ts';

describe('endOfClose', () => {
  it.each([1000, 1001, 1006, 1011, 1012, 4408, 4500])('%i: connect again', (code) => {
    expect(endOfClose(code, '').kind).toBe('lost');
  });

  it.each([4400, 4401, 4403, 4410, 4499])('%i: stop for good', (code) => {
    expect(endOfClose(code, '').kind).toBe('refused');
  });

  it('says why', () => {
    expect(endOfClose(4401, 'revoked')).toMatchObject({
      error: { message: 'The connection was closed with 4401: revoked.', closeCode: 4401 },
    });
  });
});
