import { expect, it } from 'vitest';
import { createLogger } from './logger.ts';

function createCapturingLogger(logLevel: 'info' | 'warn') {
  const lines: string[] = [];
  const logger = createLogger({ logLevel }, 'gateway', { write: (line) => void lines.push(line) });
  return { logger, lines };
}

it('writes one JSON line with the service, the level by name and the fields', () => {
  const { logger, lines } = createCapturingLogger('info');
  logger.info({ taskId: 't1', outcome: 'delivered' }, 'delivery.attempted');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-/),
      service: 'gateway',
      taskId: 't1',
      outcome: 'delivered',
      msg: 'delivery.attempted',
    },
  ]);
});

it('never writes a secret', () => {
  const { logger, lines } = createCapturingLogger('info');
  logger.info({ token: 'hush', authorization: 'Bearer hush', cookie: 'hush' }, 'request');
  logger.info({ adminToken: 'hush', secret: 'hush', password: 'hush' }, 'started');
  expect(lines.join('')).not.toContain('hush');
});

it('leaves out what is below its level', () => {
  const { logger, lines } = createCapturingLogger('warn');
  logger.info('request');
  expect(lines).toEqual([]);
});
