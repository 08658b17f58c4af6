import { expect, it } from 'vitest';
import { callerForm } from './caller-form.ts';

it.each([
  ['POST', '/translator', 'json-rpc'],
  ['POST', '/translator/?A2A-Version=1.0', 'json-rpc'],
  ['PUT', '/a2a/translator', 'json-rpc'],
  ['POST', '/a2a/translator/', 'json-rpc'],
  ['POST', '/%zz', 'json-rpc'],
  ['GET', '/translator', 'rest'],
  ['HEAD', '/translator', 'rest'],
  ['POST', '/', 'rest'],
  ['POST', '/v1', 'rest'],
  ['POST', '/a2a', 'rest'],
  ['POST', '/v1/tasks', 'rest'],
  ['POST', '/healthz', 'rest'],
  ['POST', '/translator/other', 'rest'],
])('%s %s is answered as %s', (method, url, form) => {
  expect(callerForm(method, url)).toBe(form);
});
