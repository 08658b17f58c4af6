/** What a column shows of a row; `null` is shown as a dash. */
export interface Column<Row> {
  readonly title: string;
  readonly of: (row: Row) => string | number | boolean | null | undefined;
}

const gap = '  ';

/** Rows under titles, as wide as they need to be. */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  const cells = rows.map((row) => columns.map((column) => shown(column.of(row))));
  const titles = columns.map(({ title }) => title.toUpperCase());
  const widths = titles.map((title, at) =>
    Math.max(title.length, ...cells.map((line) => line[at]?.length ?? 0)),
  );
  const render = (line: readonly string[]) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(gap)
      .trimEnd();
  return [titles, ...cells].map((line) => `${render(line)}\n`).join('');
}

/** One line a cell; what would move the cursor of a terminal is left out. */
function shown(value: string | number | boolean | null | undefined): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return printable(String(value)).replace(/\s+/g, ' ');
}

/** Others wrote it: it must not drive the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (character) =>
    /[\n\t]/.test(character) ? character : '',
  );
}
