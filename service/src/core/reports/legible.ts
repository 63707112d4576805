// A report as displayed on a page: names instead of ids, words instead of codes, amounts with their currency's
// decimals. JSON and CSV keep the exact text. Pure.
import type { ReportColumn, ReportContent, ReportDocument, ReportRow, ReportSection } from './document.ts';

export interface Legibility {
  /** Title of the report's kind. */
  readonly kind: string;
  /** Names of accounts by wire id. */
  readonly names: ReadonlyMap<string, string>;
  /** Decimals by currency. */
  readonly decimals: ReadonlyMap<string, number>;
}

const operations: Readonly<Record<string, string>> = {
  verifyTransaction: 'Sale',
  captureWager: 'Wager',
  capturePayout: 'Payout',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  cryptoDeposit: 'Crypto deposit',
  cryptoWithdrawal: 'Crypto withdrawal',
};

/** CHARGED_BACK becomes "Charged back"; verifyTransaction becomes "Sale". */
export function words(code: string): string {
  const known = operations[code];
  if (known !== undefined || !/^[A-Za-z][A-Za-z_]*$/.test(code) || code === 'PSP') return known ?? code;
  const text = code
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\bpsp\b/g, 'PSP');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** 430.4 in a currency of two decimals becomes 430.40; further digits stay. */
export function padded(amount: string, decimals: number): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const digits = fraction.padEnd(decimals, '0');
  return digits === '' ? whole : `${whole}.${digits}`;
}

function cell(text: string | null, c: ReportColumn, decimals: number | undefined, l: Legibility): string | null {
  if (text === null) return null;
  if (c.type === 'money') return decimals === undefined ? text : padded(text, decimals);
  if (c.type !== 'text') return text;
  return l.names.get(text) ?? (c.coded ? words(text) : text);
}

function section(s: ReportSection, l: Legibility): ReportSection {
  const at = s.columns.findIndex((c) => c.name === 'currency');
  const rows = s.rows.map((row): ReportRow => {
    const decimals = l.decimals.get(row.cells[at] ?? '');
    return { ...row, cells: row.cells.map((text, i) => cell(text, s.columns[i] as ReportColumn, decimals, l)) };
  });
  return { ...s, rows };
}

export function legible({ head, content }: ReportDocument, l: Legibility): ReportDocument {
  const read: ReportContent = { ...content, sections: content.sections.map((s) => section(s, l)) };
  return { head: { ...head, kind: l.kind }, content: read };
}

/** The currencies of a report's amounts. */
export const currenciesOf = (content: ReportContent): ReadonlySet<string> => columnOf(content, 'currency');
/** The accounts a report names by id. */
export const accountsOf = (content: ReportContent): ReadonlySet<string> => columnOf(content, 'clientId');

function columnOf(content: ReportContent, name: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const s of content.sections) {
    const at = s.columns.findIndex((c) => c.name === name);
    if (at >= 0) for (const row of s.rows) if (row.cells[at]) found.add(row.cells[at]);
  }
  return found;
}
