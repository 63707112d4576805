// Typed tables: each column has the cell of its row, and a column whose row has no such field is an error in the types.
import { describe, expect, it } from 'vitest';
import { sectionCsv } from './csv.ts';
import { code, count, money, section, sumsOver, text } from './table.ts';

const rows = [
  { kind: 'deposit', n: 2, tax: '0.10', note: undefined },
  { kind: 'withdrawal', n: 0, tax: '-1.25', note: '' },
];
const head = { name: 'lines', title: 'Lines' };

describe('a section of typed columns', () => {
  it('has each cell under its column: fields by their name, others by their function, and the way to the records', () => {
    const made = section(rows, {
      ...head,
      columns: [
        code('kind', 'Operation'),
        text('note', 'Note'),
        money('tax', 'Tax'),
        count('twice', 'Twice', (r) => r.n * 2),
      ],
      open: (r) => (r.n > 0 ? `/v1/transaction?type=${r.kind}` : undefined),
    });
    expect(made.columns.map((c) => [c.name, c.title, c.type, c.coded ?? false])).toEqual([
      ['kind', 'Operation', 'text', true],
      ['note', 'Note', 'text', false],
      ['tax', 'Tax', 'money', false],
      ['twice', 'Twice', 'count', false],
    ]);
    expect([...sectionCsv(made)].join('')).toBe(
      'kind,note,tax,twice,open\r\ndeposit,,0.10,4,/v1/transaction?type=deposit\r\nwithdrawal,"",-1.25,0,\r\n',
    );
  });

  it('sums the amounts of the rows that count, exactly', () => {
    const groups = [{ rows }, { rows: rows.slice(0, 1) }, { rows: [] }];
    const sums = (counts?: (r: (typeof rows)[number]) => boolean) =>
      section(groups, { ...head, columns: sumsOver([money('tax', 'Tax')], counts) }).rows.map((r) => r.cells[0]);
    expect(sums()).toEqual(['-1.15', '0.1', '0']);
    expect(sums((r) => r.n > 0)).toEqual(['0.1', '0.1', '0']);
  });

  it('takes no column that its rows have no cell of the type for', () => {
    // @ts-expect-error: the rows have no field of this name.
    section(rows, { ...head, columns: [text('missing', 'Missing')] });
    // @ts-expect-error: money is exact text, never a number.
    section(rows, { ...head, columns: [money('n', 'Records')] });
    // @ts-expect-error: the same where a function gives the cell.
    section(rows, { ...head, columns: [money('fee', 'Fee', (r: { n: number }) => r.n)] });
    // @ts-expect-error: rows of another kind.
    section([{ kind: 'deposit' }], { ...head, columns: [text('kind', 'Operation'), money('tax', 'Tax')] });
  });
});
