import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { RelayAgent } from './relay-agent.ts';

describe('RelayAgent', () => {
  it.each(['relay', 'ftp://relay.example', 'ws://relay.example', ''])(
    'refuses the url %j',
    (url) => {
      expect(() => new RelayAgent({ url, token: 'secret' })).toThrow(TypeError);
    },
  );

  it.each(['secret\n', 'sec\rret', 's\u0000', 's\u{1F511}'])(
    'refuses the token %j, which no header can hold, and does not show it',
    (token) => {
      const make = () => new RelayAgent({ url: 'http://127.0.0.1:8080', token });
      expect(make).toThrow(TypeError);
      expect(make).not.toThrow(token);
    },
  );

  it('does not show its token', () => {
    const agent = new RelayAgent({ url: 'http://127.0.0.1:8080', token: 'secret' });
    expect(inspect(agent, { depth: 9, showHidden: true })).not.toContain('secret');
  });
});
