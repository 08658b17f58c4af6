/** A plain line for the person who starts Relay; logs are for machines. */
export function tellOperator(line: string): void {
  process.stderr.write(`relay: ${line}\n`);
}
