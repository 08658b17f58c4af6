type Row = readonly string[];

/** @param alignment `l` or `r` for each column */
export function renderTable(alignment: string, rows: readonly Row[]): string {
  const widths = Array.from(alignment, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const renderCell = (cell: string, column: number) =>
    alignment[column] === 'l'
      ? cell.padEnd(widths[column] ?? 0)
      : cell.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(renderCell).join('  ').trimEnd()).join('\n');
}
