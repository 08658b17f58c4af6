import { expect, it } from 'vitest';
import { renderSettingsDocument } from './settings-document.ts';

it('docs/settings.md says what the schema says (npm run docs writes it anew)', async () => {
  await expect(renderSettingsDocument()).toMatchFileSnapshot('../../../docs/settings.md');
});
