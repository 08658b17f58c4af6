/** What one check found, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'fault' | 'skipped';
  readonly found: string;
  readonly advice: string | null;
}

export const ok = (check: string, found: string): Finding => ({
  check,
  status: 'ok',
  found,
  advice: null,
});

export const skipped = (check: string, found: string): Finding => ({
  check,
  status: 'skipped',
  found,
  advice: null,
});

export function bad(
  check: string,
  status: 'warning' | 'fault',
  { found, advice }: { readonly found: string; readonly advice: string },
): Finding {
  return { check, status, found, advice };
}
