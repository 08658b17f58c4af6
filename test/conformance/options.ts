import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';

export const usage = `Usage: npm run conformance -- --kit FOLDER [options]

Runs the conformance kit of A2A in FOLDER, a checkout of a2aproject/a2a-tck, against a relay of its own.

Options:
  --version V      1.0 (branch 1.0-dev) or 0.3 (branch 0.3.x, its mandatory tests); 1.0 unless given
  --python FILE    a Python that has what the kit needs (python3)
`;

const optionsSchema = z.object({
  kit: z
    .string()
    .transform((folder) => resolve(folder))
    .refine((folder) => existsSync(join(folder, 'run_tck.py')), 'This is no checkout of the kit.'),
  // pytest runs in the kit's folder.
  python: z.string().transform((file) => (file.includes('/') ? resolve(file) : file)),
  version: z.enum(['1.0', '0.3']),
});
export type Options = z.infer<typeof optionsSchema>;

/** @throws Error when an argument is not one of those in the usage */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kit: { type: 'string' },
      python: { type: 'string', default: 'python3' },
      version: { type: 'string', default: '1.0' },
    },
  });
  const options = optionsSchema.safeParse(values);
  if (!options.success) throw new Error(z.prettifyError(options.error));
  return options.data;
}
