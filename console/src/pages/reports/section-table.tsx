// A section of a report as a table; a line links to the rows it sums.

import { ClientName } from '../../components/client-name.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { Money } from '../../components/money.tsx';
import { Nothing } from '../../components/nothing.tsx';
import { Stamp } from '../../components/stamp.tsx';
import { inWords } from '../../components/status-badge.tsx';
import { groupDigits, percent } from '../../data/amounts.ts';
import { countryName } from '../../data/countries.ts';
import { consolePath } from '../../data/open.ts';
import { taxNamed } from '../../data/tax-names.ts';
import { reasonWords } from '../../data/tax-words.ts';
import { usePortions } from '../../data/use-portions.ts';
import { say } from '../../words/words.ts';
import { className } from '../cdr/parts.ts';
import { typeName } from '../transactions/words.ts';
import classes from './section-table.module.css';
import type { Section } from './shown.ts';

type Column = Section['columns'][number];
type Row = Section['rows'][number];

const portion = 100;
/** A table with more columns is set in small type, so that it fits the page. */
const mostRoomy = 8;
const figures = new Set<Column['type']>(['count', 'decimal', 'money', 'percent']);

export function SectionTable({ section }: { readonly section: Section }) {
  const dense = section.columns.length > mostRoomy;
  const pages = usePortions(
    section.rows.map((row, i) => ({ row, i })),
    portion,
  );
  return (
    <DataTable
      label={section.title}
      pages={pages}
      rowKey={({ i }) => String(i)}
      rowTo={({ row }) => consolePath(row.open)}
      dense={dense}
      empty={<Empty title={say('No line in this section')} />}
      columns={section.columns.map((c) => ({
        key: c.name,
        header: c.title,
        ...(figures.has(c.type) ? { align: 'right' as const } : {}),
        cell: ({ row }: { row: Row }) => <Cell column={c} value={row[c.name]} currency={row.currency} dense={dense} />,
      }))}
    />
  );
}

/** Columns that contain codes, never free text. */
const coded = new Set([
  'kind',
  'operation',
  'verdict',
  'category',
  'rateType',
  'confidence',
  'base',
  'account',
  'party',
  'state',
  'class',
  'from',
  'to',
  'exceeds',
  'per',
  'severity',
  'finding',
  'method',
]);

/** Columns that contain codes of countries. */
const ofCountries = new Set(['country', 'countryCode', 'memberState', 'suppliedFrom']);

export function codeWords(column: string, text: string): string {
  if (column === 'taxCode') return taxNamed(text);
  // Why a tax is zero; in a report of corrections, a person's own words.
  if (column === 'reason') return reasonWords[text] ?? text;
  if (ofCountries.has(column)) return countryName(text);
  if (!coded.has(column) || text === 'PSP') return text;
  const name = column === 'class' ? className(text) : typeName(text);
  return name === text && /^[A-Za-z_]+$/.test(text) ? inWords(text.replace(/([a-z])([A-Z])/g, '$1_$2')) : name;
}

/** Texts up to this length stay on one line; the table scrolls in its region if it needs more room. */
const oneLine = 30;
/** In a table of many columns only texts up to this length do. */
const shortWord = 8;

interface CellProps {
  readonly column: Column;
  readonly value: unknown;
  /** The line's currency, which sets the decimals of its amounts. */
  readonly currency: unknown;
  readonly dense: boolean;
}

function Cell({ column, value, currency, dense }: CellProps) {
  if (value === null || value === undefined || value === '') return <Nothing />;
  const text = String(value);
  switch (column.type) {
    case 'time':
      return <Stamp at={text} />;
    case 'percent':
      return <span className={classes.line}>{percent(text)}</span>;
    case 'count':
    case 'decimal':
      return <Money amount={text} />;
    case 'money':
      return (
        <span className={classes.line}>{groupDigits(text, typeof currency === 'string' ? currency : undefined)}</span>
      );
    default:
      if (/^(cli|psp)_[0-9a-z]{26}$/.test(text)) return <ClientName id={text} link />;
      return <span className={wrapping(column.name, text, dense)}>{codeWords(column.name, text)}</span>;
  }
}

/** Codes are shown as words, which wrap between them and never within one. */
function wrapping(column: string, text: string, dense: boolean): string | undefined {
  if (dense && text.length > shortWord) return coded.has(column) || column === 'reason' ? undefined : classes.breaks;
  return text.length > oneLine ? classes.long : classes.line;
}
