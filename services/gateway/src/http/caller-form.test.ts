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
  ['GET', '/translator/agent-card.json', 'rest'],
  ['GET', '/a2a/translator/.well-known/agent.json', 'rest'],
  ['POST', '/translator/message:send', 'http-json'],
  ['POST', '/a2a/translator/message:none', 'http-json'],
  ['GET', '/translator/tasks?pageSize=0', 'http-json'],
  ['GET', '/translator/tasks/', 'http-json'],
  ['POST', '/a2a/translator/tasks/x:cancel', 'http-json'],
  ['GET', '/translator/extendedAgentCard', 'http-json'],
  ['POST', '/translator/v1/message:send', 'http-json-v03'],
  ['GET', '/a2a/translator/v1/tasks/x', 'http-json-v03'],
  ['GET', '/translator/v1/card', 'http-json-v03'],
  ['GET', '/translator/v1', 'rest'],
  ['GET', '/translator/tasksomething', 'rest'],
])('%s %s is answered as %s', (method, url, form) => {
  expect(callerForm(method, url)).toBe(form);
});
