// One section of a report as CSV (RFC 4180, UTF-8): for programs with the names of columns and exact cells, for people as it is
// displayed, in the form that spreadsheets of their language read. Texts that a spreadsheet would run as a formula are
// escaped; figures are exact and are not. Pure; yields long sections in pieces.
import { shownPlainly } from '../characters.ts';
import { step } from './check.ts';
import { displayedColumns } from './displayed.ts';
import type { CellType, ReportSection, Text } from './document.ts';

/** What spreadsheets treat as the start of a formula, also after blanks and in full-width forms. */
const formula = /^[\s\p{C}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;
/**
 * The same behind a semicolon: spreadsheets of many languages, French and German among them, begin a cell there in any CSV
 * file, and see quotes only at the beginning of one.
 */
const formulaBehind = /;(?=[\s\p{C}"]*[=+\-@＝＋－＠])/gu;
/** The same behind a comma, for files whose cells a semicolon separates. */
const formulaBehindComma = /,(?=[\s\p{C}"]*[=+\-@＝＋－＠])/gu;
const special = /[",\r\n]|^\s|\s$/;
const specialBesides = /[";\r\n]|^\s|\s$/;

/** How spreadsheets of a language read a CSV file; programs read that of English. */
export interface CsvForm {
  readonly separator: ',' | ';';
  readonly point: '.' | ',';
}
export const csvForms = {
  en: { separator: ',', point: '.' },
  fr: { separator: ';', point: ',' },
} as const satisfies Record<string, CsvForm>;

/** Spreadsheets read a file as UTF-8 only if it begins with this mark. */
export const utf8Mark = '\ufeff';

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

/**
 * A section as it is displayed, with the headings, names and words that it has in print, and ids beside names.
 * @param shown the section with names and words; ids are taken from `exact`
 */
export function* displayedCsv(
  exact: ReportSection,
  shown: ReportSection,
  language: keyof typeof csvForms,
  idOf: (title: string) => string,
): Generator<string> {
  const form = csvForms[language];
  const columns = displayedColumns(exact, shown, idOf);
  const heads = columns.map(({ title, type }) => (type === 'time' ? `${title} (UTC)` : title));
  const line = (cells: readonly string[]) => `${cells.join(form.separator)}\r\n`;
  yield `${utf8Mark}${line(heads.map((h) => cellCsv(h, 'text', form)))}`;
  for (let from = 0; from < exact.rows.length; from += step) {
    let piece = '';
    for (let i = from; i < Math.min(from + step, exact.rows.length); i++)
      piece += line(columns.map(({ type, cell }) => cellCsv(readable(cell(i), type), type, form)));
    yield piece;
  }
}

/** 2026-10-31 10:00:00 of a moment: spreadsheets do not know one that is written for programs. */
export const readable = (cell: string | null, type: CellType): string | null =>
  type === 'time' && cell !== null ? cell.replace('T', ' ').replace(/(\.\d+)?Z$/, '') : cell;

/** Only text comes from outside; a negative amount begins with a minus sign and remains a number. */
export function cellCsv(cell: string | null, type: CellType, { separator, point }: CsvForm = csvForms.en): string {
  if (cell === null) return '';
  // A text file cannot hold NUL; the JSON has the exact text of what is written out here.
  const text = shownPlainly(cell.replaceAll('\0', '\ufffd'), true);
  const [behind, other, marked] =
    separator === ',' ? [formulaBehind, ';', special] : [formulaBehindComma, ',', specialBesides];
  const guarded =
    type === 'text'
      ? `${formula.test(text) ? "'" : ''}${text.replaceAll(behind, `${other}'`)}`
      : type === 'date' || type === 'time'
        ? text
        : text.replace('.', point);
  // Quotes distinguish an empty text from null.
  return guarded === '' || marked.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
