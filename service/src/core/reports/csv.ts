// One section of a report as CSV (RFC 4180, UTF-8): column names, then the rows. Texts that a spreadsheet would run as
// a formula are escaped; figures are exact and are not. Pure; yields long sections in pieces.
import { shownPlainly } from '../characters.ts';
import { step } from './check.ts';
import type { CellType, ReportSection, Text } from './document.ts';

/** What spreadsheets treat as the start of a formula, also after blanks and in full-width forms. */
const formula = /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
/**
 * The same behind a semicolon: spreadsheets of many languages, French and German among them, begin a cell there in any CSV
 * file, and see quotes only at the beginning of one.
 */
const formulaBehind = /;(?=[\s\p{C}"]*[=+\-@＝＋－＠])/gu;
const special = /[",\r\n]|^\s|\s$/;

/** @param names of accounts by wire id; a section with ids of accounts and not their names has them in a last column */
export function* sectionCsv(s: ReportSection<Text>, names: ReadonlyMap<string, string> = new Map()): Generator<string> {
  const named = s.columns.some((c) => c.name === 'operator' || c.name === 'name');
  const account = named ? -1 : s.columns.findIndex((c) => c.name === 'clientId');
  const opens = s.rows.some((r) => r.open !== undefined);
  const further = [...(opens ? ['open'] : []), ...(account < 0 ? [] : ['clientName'])];
  yield `${[...s.columns.map((c) => c.name), ...further].join()}\r\n`;
  for (let from = 0; from < s.rows.length; from += step) {
    let piece = '';
    for (const row of s.rows.slice(from, from + step)) {
      const cells = row.cells.map((c, i) => cellCsv(c, s.columns[i]?.type ?? 'text'));
      if (opens) cells.push(cellCsv(row.open ?? null, 'text'));
      if (account >= 0) cells.push(cellCsv(names.get(row.cells[account] ?? '') ?? null, 'text'));
      piece += `${cells.join()}\r\n`;
    }
    yield piece;
  }
}

/** Only text comes from outside; a negative amount begins with a minus sign and remains a number. */
export function cellCsv(cell: string | null, type: CellType): string {
  if (cell === null) return '';
  // A text file cannot hold NUL; the JSON has the exact text of what is written out here.
  const text = shownPlainly(cell.replaceAll('\0', '\ufffd'), true);
  const guarded = type === 'text' ? `${formula.test(text) ? "'" : ''}${text.replaceAll(formulaBehind, ";'")}` : text;
  // Quotes distinguish an empty text from null.
  return guarded === '' || special.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
