import { expect, it } from 'vitest';
import { prefersHtml } from './accept.ts';

it.each([
  ['text/html,application/xhtml+xml,*/*;q=0.8', true],
  ['application/json, text/html', true],
  ['TEXT/HTML; q=0.9', true],
  ['text/html;q=0', false],
  ['text/html;q=0.5, application/json', false],
  ['text/html;q=x', false],
  ['*/*', false],
  ['application/json', false],
  ['', false],
  [undefined, false],
])('%j prefers HTML: %s', (accept, isHtml) => {
  expect(prefersHtml(accept)).toBe(isHtml);
});
