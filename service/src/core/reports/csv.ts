// One section of a report as CSV (RFC 4180, UTF-8): column names, then the rows. Texts that a spreadsheet would run as
// a formula are escaped; figures are exact and are not. Pure; yields long sections in pieces.
import { shownPlainly } from '../characters.ts';
import { step } from './check.ts';
import type { CellType, ReportSection } from './document.ts';

/** What spreadsheets treat as the start of a formula, also after blanks and in full-width forms. */
const formula = /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
const special = /[",\r\n]|^\s|\s$/;

export function* sectionCsv(s: ReportSection): Generator<string> {
  const opens = s.rows.some((r) => r.open !== undefined);
  yield `${[...s.columns.map((c) => c.name), ...(opens ? ['open'] : [])].join()}\r\n`;
  for (let from = 0; from < s.rows.length; from += step) {
    let piece = '';
    for (const row of s.rows.slice(from, from + step)) {
      const cells = row.cells.map((c, i) => cellCsv(c, s.columns[i]?.type ?? 'text'));
      piece += `${[...cells, ...(opens ? [cellCsv(row.open ?? null, 'text')] : [])].join()}\r\n`;
    }
    yield piece;
  }
}

/** Only text comes from outside; a negative amount begins with a minus sign and remains a number. */
export function cellCsv(cell: string | null, type: CellType): string {
  if (cell === null) return '';
  // A text file cannot hold NUL; the JSON has the exact text of what is written out here.
  const text = shownPlainly(cell.replaceAll('\0', '\ufffd'), true);
  const guarded = type === 'text' && formula.test(text) ? `'${text}` : text;
  // Quotes distinguish an empty text from null.
  return guarded === '' || special.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
