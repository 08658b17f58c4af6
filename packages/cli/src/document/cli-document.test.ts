import { expect, it } from 'vitest';
import { createProgram } from '../program.ts';
import { renderCliDocument } from './cli-document.ts';

it('docs/cli.md says what the commands take (npm run docs writes it anew)', async () => {
  const silent = { write: () => true };
  const program = createProgram({ environment: {}, stdout: silent, stderr: silent });
  await expect(renderCliDocument(program)).toMatchFileSnapshot('../../../../docs/cli.md');
});
