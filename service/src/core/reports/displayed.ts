// The columns of a section as people read it outside of the page: names in place of accounts, with the ids beside them. Pure.
import type { CellType, ReportSection } from './document.ts';

export interface DisplayedColumn {
  readonly title: string;
  readonly type: CellType;
  /** Place of the column in the section. */
  readonly at: number;
  /** Text of a row's cell, by the number of the row. */
  readonly cell: (row: number) => string | null;
}

/**
 * @param exact the section with ids
 * @param shown the same with names and words
 * @param idOf heading of the ids of what a heading names
 */
export function displayedColumns(
  exact: ReportSection,
  shown: ReportSection,
  idOf: (title: string) => string,
): DisplayedColumn[] {
  return exact.columns.flatMap(({ name, type, title }, at): DisplayedColumn[] => {
    const of = (s: ReportSection) => (row: number) => s.rows[row]?.cells[at] ?? null;
    const column = { title, type, at, cell: of(shown) };
    return name === 'clientId' ? [column, { title: idOf(title), type, at, cell: of(exact) }] : [column];
  });
}
