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

  it('does not show its token', () => {
    const agent = new RelayAgent({ url: 'http://127.0.0.1:8080', token: 'secret' });
    expect(inspect(agent, { depth: 9, showHidden: true })).not.toContain('secret');
  });
});
