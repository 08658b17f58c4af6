import type { GlobalOptions } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { type Column, renderTable } from './table.ts';

interface Printing {
  readonly terminal: Terminal;
  readonly options: Pick<GlobalOptions, 'json'>;
}

export function printJson({ stdout }: Terminal, value: unknown): void {
  stdout.write(`${JSON.stringify(value, undefined, 2)}\n`);
}

/** A list, as a table or as one JSON array. */
export function printList<Row>(
  { terminal, options }: Printing,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): void {
  if (options.json) printJson(terminal, rows);
  else if (rows.length === 0) terminal.stderr.write('relay: there are none\n');
  else terminal.stdout.write(renderTable(columns, rows));
}

/** One thing, as `text` says it or as JSON. */
export function printOne({ terminal, options }: Printing, value: unknown, text: string): void {
  if (options.json) printJson(terminal, value);
  else terminal.stdout.write(`${text}\n`);
}
