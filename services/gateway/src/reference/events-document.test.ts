import { expect, it } from 'vitest';
import { renderEventsPage } from './events-page.ts';

it('docs/events.md is what the schemas say (npm run docs writes it anew)', async () => {
  await expect(renderEventsPage()).toMatchFileSnapshot('../../../../docs/events.md');
});
