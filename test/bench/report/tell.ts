/** Progress, apart from the results on the standard output. */
export function tell(line: string): void {
  process.stderr.write(`  ${line}\n`);
}
