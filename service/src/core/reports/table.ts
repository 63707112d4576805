// Sections of reports as typed tables: a column has its name, heading, type and the cell of a row in one place, so that
// no row has a cell too many or too few. Pure.
import { accountWire, type PspId } from '../ids.ts';
import { Said } from '../said.ts';
import { sumOf } from '../sums.ts';
import type { CellType, ReportColumn, SaidSection, Text } from './document.ts';

/** A column over rows of the type R. */
export interface Column<R> extends ReportColumn<Text> {
  readonly cell: (row: R) => string | number | Said | null | undefined;
}

/** @typeParam V what a row gives for a cell of this type; null or undefined if there is no value */
function columnOf<V extends string | number | Said>(type: CellType, coded?: true) {
  type Cell = V | null | undefined;
  /** Without a function the cell is the row's field of the same name. */
  function column<const N extends string>(name: N, title: Text): Column<{ readonly [F in N]: Cell }>;
  function column<R>(name: string, title: Text, cell: (row: R) => Cell): Column<R>;
  function column(name: string, title: Text, cell = (row: Readonly<Record<string, Cell>>) => row[name]) {
    return { name, title, type, ...(coded && { coded }), cell };
  }
  return column;
}

export const text = columnOf<string | Said>('text');
/** A text that is one of our codes, never free text: the page shows it in words. */
export const code = columnOf<string>('text', true);
export const count = columnOf<string | number>('count');
export const decimal = columnOf<string>('decimal');
export const money = columnOf<string>('money');
export const percent = columnOf<string>('percent');
export const date = columnOf<string>('date');
export const time = columnOf<string>('time');
/** The account a row is about; the page shows its name. */
export const clientId = (psp: PspId, title: Text = 'Client') =>
  text('clientId', title, (row: { readonly account: string }) => accountWire(psp, row.account));

/** The columns of rows that each stand for several others: the sums of the amounts of those that count. */
export const sumsOver = <R>(columns: readonly Column<R>[], counts: (row: R) => boolean = () => true) =>
  columns.map((c): Column<{ readonly rows: readonly R[] }> => {
    return { ...c, cell: ({ rows }) => sumOf(rows.filter(counts).map((r) => String(c.cell(r)))) };
  });

/** A section with a line for each row; `open` gives the API path of the records a row sums, if there is one. */
export function section<R>(
  rows: readonly R[],
  {
    columns,
    open,
    ...head
  }: Omit<SaidSection, 'columns' | 'rows'> & {
    readonly columns: readonly Column<NoInfer<R>>[];
    readonly open?: (row: NoInfer<R>) => string | undefined;
  },
): SaidSection {
  return {
    ...head,
    columns: columns.map(({ cell, ...column }) => column),
    rows: rows.map((row) => {
      const cells = columns.map((c) => c.cell(row) ?? null);
      const said = new Map(cells.entries().flatMap(([i, cell]) => (cell instanceof Said ? [[i, cell] as const] : [])));
      return {
        cells: cells.map((cell) => cell?.toString() ?? null),
        open: open?.(row),
        ...(said.size > 0 ? { said } : {}),
      };
    }),
  };
}
