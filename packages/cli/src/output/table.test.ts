import { expect, it } from 'vitest';
import { printable, renderTable } from './table.ts';

it('columns are as wide as their widest cell, and nothing stands for what is not there', () => {
  const table = renderTable<{ name: string; count: number | null }>(
    [
      { title: 'name', of: ({ name }) => name },
      { title: 'count', of: ({ count }) => count },
    ],
    [
      { name: 'a longer name', count: 7 },
      { name: 'b', count: null },
    ],
  );
  expect(table).toBe('NAME           COUNT\na longer name  7\nb              -\n');
});

it('what others wrote cannot drive the terminal, nor break a line of a table', () => {
  const hostile = 'a\u001b[2Jb\u202ec\r\nd\u0007';
  expect(printable(hostile)).toBe('a[2Jbc\nd');
  expect(renderTable([{ title: 't', of: () => hostile }], [0])).toBe('T\na[2Jbc d\n');
});
