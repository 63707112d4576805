// A report as displayed on a page: names instead of ids, words instead of codes, amounts with their currency's
// decimals. JSON and CSV keep the exact text. Pure.
import { capitalized } from '../capitalized.ts';
import { onFirstUse } from '../first-use.ts';
import { type Catalogue, english, type Language, wordBy } from '../said.ts';
import { taxName } from '../tax/tax-names.ts';
import type { ReportColumn, ReportContent, ReportDocument, ReportRow, ReportSection } from './document.ts';

export interface Legibility {
  /** Title of the report's kind. */
  readonly kind: string;
  /** Names of accounts by wire id. */
  readonly names: ReadonlyMap<string, string>;
  /** Decimals by currency. */
  readonly decimals: ReadonlyMap<string, number>;
  /** Words of the page's language by the English ones. */
  readonly catalogue?: Catalogue;
  /** Language of the names of countries; English if omitted. */
  readonly language?: Language;
}

const ownWords: Readonly<Record<string, string>> = {
  verifyTransaction: 'Sale',
  captureWager: 'Wager',
  capturePayout: 'Payout',
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  cryptoDeposit: 'Crypto deposit',
  cryptoWithdrawal: 'Crypto withdrawal',
  recordCDR: 'Call record',
  ONNET: 'On-net',
  OFFNET: 'Off-net',
  INTL_OUT: 'International, out',
  INTL_IN: 'International, in',
  SMS: 'SMS',
  VOIP: 'VoIP',
  SHORTCODE: 'Short code',
};

/** CHARGED_BACK becomes "Charged back"; verifyTransaction becomes "Sale". */
export function words(code: string): string {
  const known = ownWords[code];
  if (known !== undefined || !/^[A-Za-z][A-Za-z_]*$/.test(code) || code === 'PSP') return known ?? code;
  const text = code
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\b(psp|bic|tin|vat|cdr|aml|ggr|ip|mb|mms|msisdn|pep|ussd)\b/g, (w) => w.toUpperCase());
  return capitalized(text);
}

/** A code as a word of its own, in the language of a catalogue, which has codes as words within a sentence. */
export function codeBy(code: string, catalogue: Catalogue): string {
  const word = catalogue.get(code);
  return word === undefined ? wordBy(words(code), catalogue) : capitalized(word);
}

/** 430.4 in a currency of two decimals becomes 430.40; further digits stay. */
export function padded(amount: string, decimals: number): string {
  const [whole = '', fraction = ''] = amount.split('.');
  const digits = fraction.padEnd(decimals, '0');
  return digits === '' ? whole : `${whole}.${digits}`;
}

const regions = {
  en: onFirstUse(() => new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })),
  fr: onFirstUse(() => new Intl.DisplayNames('fr', { type: 'region', fallback: 'none' })),
};
/** Facts and columns that are codes of countries. */
const ofCountries = new Set(['country', 'countryCode', 'memberState', 'suppliedFrom']);

/** KE becomes Kenya; any other text stays as it is. */
export const countryIn = (text: string, language: Language = 'en'): string =>
  (/^[A-Z]{2}$/.test(text) ? regions[language]().of(text) : undefined) ?? text;

function cell(text: string | null, c: ReportColumn, decimals: number | undefined, l: Legibility): string | null {
  if (text === null) return null;
  if (c.type === 'money') return decimals === undefined ? text : padded(text, decimals);
  if (c.type !== 'text') return text;
  if (ofCountries.has(c.name)) return countryIn(text, l.language);
  if (c.name === 'taxCode') return wordBy(taxName(text).name, l.catalogue ?? english);
  return l.names.get(text) ?? (c.coded ? codeBy(text, l.catalogue ?? english) : text);
}

/** Amounts of currencies with more decimals are padded to the longest fraction of their column. */
export const mostPadded = 8;

/** Decimals by currency and column. */
function placesIn(s: ReportSection, at: number, decimals: Legibility['decimals']): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const { cells } of s.rows) {
    const currency = cells[at] ?? '';
    const most = decimals.get(currency);
    if (most === undefined) continue;
    for (const [i, text] of cells.entries()) {
      if (s.columns[i]?.type !== 'money') continue;
      const longest = Math.max(places.get(`${currency}|${i}`) ?? 2, text?.split('.')[1]?.length ?? 0);
      places.set(`${currency}|${i}`, most > mostPadded ? longest : most);
    }
  }
  return places;
}

function section(s: ReportSection, l: Legibility): ReportSection {
  const at = s.columns.findIndex((c) => c.name === 'currency');
  const places = placesIn(s, at, l.decimals);
  const isHead = s.columns.length === 2 && s.columns[0]?.name === 'field';
  const rows = s.rows.map((row): ReportRow => {
    const currency = row.cells[at] ?? '';
    const ids = new Map<number, string>();
    const cells = row.cells.map((text, i) => {
      if (text !== null && s.columns[i]?.type === 'text' && l.names.has(text)) ids.set(i, text);
      // The head of a return has its fields one beneath another, of which one is the country.
      if (text !== null && isHead && i === 1) return countryIn(text, l.language);
      return cell(text, s.columns[i] as ReportColumn, places.get(`${currency}|${i}`), l);
    });
    return { ...row, cells, ids };
  });
  return { ...s, rows };
}

const amountFact = /^([A-Z][A-Z\d]{2,9}) (-?\d+(?:\.\d+)?)$/;

/** A fact that consists of amounts, such as NGN 1315.4 or BTC 0.5, ETH 1, with each as `write` has it; undefined for another one. */
export function withAmounts(value: string, write: (currency: string, amount: string) => string): string | undefined {
  const parts = value.split(', ');
  if (!parts.every((part) => amountFact.test(part))) return undefined;
  return parts.map((part) => part.replace(amountFact, (_, currency, amount) => write(currency, amount))).join(', ');
}

const fact = (value: string, decimals: Legibility['decimals']): string =>
  withAmounts(value, (currency, amount) => {
    const places = decimals.get(currency) ?? 0;
    return `${currency} ${places > mostPadded ? amount : padded(amount, places)}`;
  }) ?? value;

/** A report as displayed, with the name of the account it is about. */
export interface Legible extends ReportDocument {
  /** Undefined if it is not known. */
  readonly account?: string | undefined;
  readonly catalogue?: Catalogue;
}

export function legible({ head, content }: ReportDocument, l: Legibility): Legible {
  const read: ReportContent = {
    ...content,
    facts: content.facts.map((f) => ({
      ...f,
      value: ofCountries.has(f.name) ? countryIn(f.value, l.language) : fact(f.value, l.decimals),
    })),
    sections: content.sections.map((s) => section(s, l)),
  };
  const catalogue = l.catalogue ?? english;
  const kind = wordBy(l.kind, catalogue);
  return { head: { ...head, kind }, content: read, account: l.names.get(head.clientId), catalogue };
}

/** The currencies of a report's amounts. */
export const currenciesOf = (content: ReportContent): ReadonlySet<string> => columnOf(content, 'currency');
/** The accounts a report names by id. */
export const accountsOf = (content: ReportContent): ReadonlySet<string> => columnOf(content, 'clientId', 'account');

function columnOf(content: ReportContent, ...names: string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const s of content.sections)
    for (const [at, c] of s.columns.entries())
      if (names.includes(c.name)) for (const row of s.rows) if (row.cells[at]) found.add(row.cells[at]);
  return found;
}
