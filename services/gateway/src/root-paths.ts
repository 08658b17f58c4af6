/** First segments of paths that Relay itself answers. None of them can be an agent's handle. */
const rootPaths = [
  'v1',
  'a2a',
  'healthz',
  'readyz',
  'metrics',
  'console',
  'docs',
  'well_known',
] as const;

const reserved: ReadonlySet<string> = new Set(rootPaths);

export function isReserved(handle: string): boolean {
  return reserved.has(handle);
}
