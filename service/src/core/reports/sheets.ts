// A report as the sheets of a workbook: one for what it is about and one for each section. Figures are numbers where a
// double holds them exactly, and text otherwise. Pure.
import { shownPlainly } from '../characters.ts';
import { type Catalogue, english, type Language, said, wordBy } from '../said.ts';
import { readable } from './csv.ts';
import { displayedColumns } from './displayed.ts';
import type { CellType, ReportDocument, ReportSection, Text } from './document.ts';
import { type Legible, padded, withAmounts } from './legible.ts';

export type SheetCell =
  | { readonly type: 'text'; readonly value: string }
  /** @property format how it is displayed, with every digit */
  | { readonly type: 'number'; readonly value: number; readonly format: string }
  /** @property ms milliseconds since the epoch, to be displayed as in UTC */
  | { readonly type: 'date'; readonly ms: number; readonly format: string };

export interface Sheet {
  /** At most 31 characters, unique in the workbook. */
  readonly name: string;
  readonly columns: readonly { readonly title: string; readonly width: number; readonly isFigure: boolean }[];
  readonly rows: readonly (readonly (SheetCell | null)[])[];
}

/** Maximum cells of a workbook: they are in memory at once. */
export const mostSheetCells = 300_000;
/** Digits that a double, and a spreadsheet, holds exactly. */
const mostDigits = 15;
/** Maximum characters of a cell of a spreadsheet. */
const mostCharacters = 32_767;
const widest = 60;

/** Whether the report fits into a workbook. */
export const fitsSheets = ({ content }: ReportDocument): boolean =>
  content.sections.reduce((n, s) => n + s.rows.length * s.columns.length, 0) <= mostSheetCells;

/** How a language writes days and times. */
const dates: Readonly<Record<Language, string>> = { en: 'yyyy-mm-dd', fr: 'dd/mm/yyyy' };

interface Of {
  readonly language: Language;
  readonly word: (text: Text) => string;
  readonly idOf: (title: string) => string;
  /** Decimals by currency. */
  readonly decimals: ReadonlyMap<string, number>;
}

/**
 * @param shown the report as displayed, with names and words; figures are taken from `document`
 * @param decimals by currency
 */
export function sheetsOf(
  document: ReportDocument,
  shown: Legible,
  decimals: ReadonlyMap<string, number>,
  language: Language = 'en',
): Sheet[] {
  const catalogue = shown.catalogue ?? english;
  const of: Of = { language, word: (text) => wordBy(text, catalogue), idOf: idTitle(catalogue), decimals };
  const names = new Set<string>();
  const about = nameIn(names, of.word('About'));
  const sections = document.content.sections.map((s, i) =>
    sectionSheet(s, shown.content.sections[i] as ReportSection, of, names),
  );
  return [aboutSheet(about, document, shown, sections, of), ...sections];
}

/** Heading of the ids of what a heading names. */
export const idTitle =
  (catalogue: Catalogue) =>
  (title: string): string =>
    `${title} ${wordBy('id', catalogue)}`;

/** What the report is about, and what each other sheet has, with the note on its figures. */
function aboutSheet(
  name: string,
  { head, content }: ReportDocument,
  shown: Legible,
  sections: readonly Sheet[],
  { word, language }: Of,
): Sheet {
  // The English workbook is read by programs too, which know facts as they are stored.
  const stored = language === 'en';
  const asOf = stored ? head.asOf.time : `${readable(head.asOf.time, 'time')} UTC`;
  const amounts = (value: string) => withAmounts(value, (currency, a) => `${a.replace('.', ',')} ${currency}`) ?? value;
  const facts: (readonly [Text, Text])[] = [
    ['Report', content.title],
    ...(stored ? content.facts : shown.content.facts.map((f) => ({ ...f, value: amounts(f.value) }))).map(
      (f) => [f.title, f.value] as const,
    ),
    ['Provisional', word(content.provisional ? 'yes: figures may change' : 'no')],
    ['As of', said`${asOf}, journal entry ${head.asOf.journalSeq}`],
    ['Report id', head.reportId],
    ['Account id', head.clientId],
    ['Kind', stored ? head.kind : shown.head.kind],
    ['Revision', String(head.revision)],
    ['Tax data version', head.dataset],
    ...sections.map(({ name: of, rows }, i) => {
      const { title = '', note } = content.sections[i] ?? {};
      const cut = title.length > longestName;
      return [
        said`Sheet “${of}”`,
        [cut && `${title}.`, word(said`Rows: ${rows.length}.`), note].filter(Boolean).join(' '),
      ] as const;
    }),
  ];
  return sheet(
    name,
    [
      { title: word('Field'), isFigure: false },
      { title: word('Value'), isFigure: false },
    ],
    facts.map(([title, value]) => [textCell(word(title)), textCell(word(value))]),
  );
}

function sectionSheet(exact: ReportSection, shown: ReportSection, of: Of, taken: Set<string>): Sheet {
  const at = exact.columns.findIndex((c) => c.name === 'currency');
  const columns = displayedColumns(exact, shown, of.idOf).map((c) => ({
    ...c,
    isFigure: isFigure(c.type),
  }));
  const rows = exact.rows.map((row, r) => {
    const places = of.decimals.get(row.cells[at] ?? '');
    return columns.map(({ at: i, type, cell, isFigure: figure }) => {
      const text = figure ? row.cells[i] : cell(r);
      return text === null || text === undefined ? null : cellOf(text, type, places, dates[of.language]);
    });
  });
  return sheet(nameIn(taken, exact.title), columns, rows);
}

const isFigure = (type: CellType): boolean => type !== 'text' && type !== 'date' && type !== 'time';

function sheet(
  name: string,
  columns: readonly { readonly title: string; readonly isFigure: boolean }[],
  rows: Sheet['rows'],
): Sheet {
  const widthOf = (title: string, i: number): number => {
    let width = title.length;
    for (const row of rows) width = Math.max(width, lengthOf(row[i] ?? null));
    return Math.min(widest, width + 2);
  };
  return {
    name,
    columns: columns.map(({ title, isFigure }, i) => ({ title, isFigure, width: widthOf(title, i) })),
    rows,
  };
}

function lengthOf(cell: SheetCell | null): number {
  if (cell === null) return 0;
  if (cell.type === 'text') return cell.value.length;
  return cell.type === 'date' ? cell.format.length : String(cell.value).length + 4;
}

/** A cell's content is never a formula: text is stored as text. */
function cellOf(text: string, type: CellType, places: number | undefined, day: string): SheetCell {
  switch (type) {
    case 'text':
      return textCell(text);
    case 'date':
      return dateCell(text, `${text}T00:00:00Z`, day);
    case 'time':
      return dateCell(text, text, `${day} hh:mm:ss" UTC"`);
    case 'count':
      return numberCell(text, '#,##0');
    case 'percent':
      return numberCell(text, `0${fraction(text)}"%"`);
    case 'money':
      return numberCell(text, `#,##0${fraction(places === undefined ? text : padded(text, places))}`);
    default:
      return numberCell(text, `#,##0${fraction(text)}`);
  }
}

const fraction = (text: string): string => {
  const digits = text.split('.')[1]?.length ?? 0;
  return digits === 0 ? '' : `.${'0'.repeat(digits)}`;
};

const digitsOf = (text: string): number => text.replace('-', '').replace('.', '').replace(/^0+/, '').length;

const numberCell = (text: string, format: string): SheetCell =>
  digitsOf(text) > mostDigits ? textCell(text) : { type: 'number', value: Number(text), format };

/** Spreadsheets count days from 1900, with a day too many in its February. */
const firstDay = Date.parse('1900-03-01T00:00:00Z');

function dateCell(text: string, iso: string, format: string): SheetCell {
  const ms = Date.parse(iso);
  return Number.isNaN(ms) || ms < firstDay ? textCell(text) : { type: 'date', ms, format };
}

/** Control characters cannot be in a workbook's XML, nor may lone halves of characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a workbook cannot hold
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function textCell(text: string): SheetCell {
  const value = shownPlainly(text, true).replace(unwritable, '\ufffd').toWellFormed();
  return {
    type: 'text',
    value: value.length > mostCharacters ? value.slice(0, mostCharacters - 1).concat('…') : value,
  };
}

/** Characters of a sheet's name at most. */
const longestName = 31;
/** Words that say nothing at the end of a name. */
const joining = new Set(
  'of by the and or for in on to from with a an de du des la le les et ou par pour en à au aux sur dans avec sans'.split(
    ' ',
  ),
);

/** A name that a spreadsheet accepts: without its reserved characters, cut between words, and not used before in any case. */
function nameIn(taken: Set<string>, title: string): string {
  const plain = title
    .replace(/[[\]:*?/\\']/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  let name = shortened(plain, longestName) || 'Section';
  for (let n = 2; taken.has(name.toLowerCase()); n++)
    name = `${shortened(plain, longestName - 1 - String(n).length) || 'Section'} ${n}`;
  taken.add(name.toLowerCase());
  return name;
}

/** The words that fit, and of a word that is longer itself its beginning. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const words = text
    .slice(0, most + 1)
    .split(' ')
    .slice(0, -1);
  while (joining.has(words.at(-1)?.toLowerCase() ?? '')) words.pop();
  const cut = words.join(' ').replace(/[,;:–—-]$/, '');
  return (cut || text.slice(0, most).toWellFormed()).trim();
}
