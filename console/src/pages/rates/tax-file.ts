// Changes of a country file, row by row: the file to propose, and the rows in which two files differ. Pure.
import { plainNumber } from '../../data/amounts.ts';
import type { Debtor } from '../../data/tax-words.ts';
import type { Rule } from './rule.ts';

interface Step {
  readonly upTo?: string;
  readonly rate?: string;
  readonly amount?: string;
}

interface Source {
  readonly title: string;
  readonly publisher: string;
  readonly url: string | null;
  readonly publishedOn?: string | null;
  readonly retrievedOn: string;
}

/** A row as a country file has it: its source is a key of `sources`. */
export type Row = Omit<Rule, 'source' | 'brackets' | 'slabs'> & {
  readonly source: string;
  readonly brackets?: readonly Step[];
  readonly slabs?: readonly Step[];
  readonly exceptSupplies?: readonly string[];
  readonly productLines?: readonly string[];
  readonly bearer: string;
  readonly inTransaction: boolean;
  readonly owedBy?: Debtor;
  readonly authority?: string;
  readonly example?: { readonly amount: string; readonly tax: string };
  readonly says?: string;
  readonly sunsetOn?: string;
  readonly note?: string;
};

export interface TaxFile {
  readonly jurisdiction: string;
  readonly name: string;
  readonly currency: string;
  readonly sources: Readonly<Record<string, Source>>;
  readonly rules: readonly Row[];
}

const termKinds = ['rate', 'brackets', 'slabs', 'unitAmount'] as const;
export type TermKind = (typeof termKinds)[number];

/** What a form says of a row's terms, its first day and its source. */
export interface Terms {
  readonly kind: TermKind;
  readonly rate: string;
  readonly unitAmount: string;
  readonly steps: readonly { readonly upTo: string; readonly value: string; readonly fixed: boolean }[];
  /** Why a rate is 0. */
  readonly reason: string;
  readonly validFrom: string;
  readonly law: string;
  readonly title: string;
  readonly publisher: string;
  readonly url: string;
  readonly confidence: string;
  readonly says: string;
  readonly exampleAmount: string;
  readonly exampleTax: string;
}

/** Bases that are quantities: they bear an amount per unit. */
const counted = ['MINUTES', 'COUNT', 'DATA_MB', 'TRANSACTION'];

/** The kinds of terms that a base allows. */
export const kindsFor = (base: string): readonly TermKind[] =>
  counted.includes(base) ? ['unitAmount'] : base === 'GROSS_INCLUSIVE' ? ['rate'] : ['rate', 'brackets', 'slabs'];

export const isZero = (rate: string): boolean => /^0+(\.0*)?$/.test(plainNumber(rate));

/** The id of a row that follows another: its name with the year in which it starts, and a number if that is taken. */
export function nextRuleId(file: TaxFile, before: string, validFrom: string): string {
  const stem = `${before.replace(/-\d{4}(-\d+)?$/, '').slice(0, 70)}-${validFrom.slice(0, 4)}`;
  const taken = new Set(file.rules.map((r) => r.ruleId));
  let id = stem;
  for (let n = 2; taken.has(id); n++) id = `${stem}-${n}`;
  return id;
}

function termsOf(t: Terms, currency: string): Partial<Row> {
  const step = (s: Terms['steps'][number]): Step => ({
    ...(s.upTo.trim() === '' ? {} : { upTo: plainNumber(s.upTo) }),
    ...(t.kind === 'slabs' && s.fixed ? { amount: plainNumber(s.value) } : { rate: plainNumber(s.value) }),
  });
  if (t.kind === 'unitAmount') return { unitAmount: plainNumber(t.unitAmount), currency };
  if (t.kind !== 'rate') return { [t.kind]: t.steps.map(step) };
  return { rate: plainNumber(t.rate), ...(isZero(t.rate) ? { reason: t.reason } : {}) };
}

/** The file with the source, and its key: that of an equal title and address, if there is one. */
function withSource(file: TaxFile, t: Terms, today: string): [TaxFile, string] {
  const url = t.url.trim() === '' ? null : t.url.trim();
  const [title, publisher] = [t.title.trim(), t.publisher.trim()];
  const known = Object.entries(file.sources).find(
    ([, s]) => s.title === title && s.publisher === publisher && s.url === url && s.retrievedOn === today,
  );
  if (known) return [file, known[0]];
  const stem = `${title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40)}-${today}`;
  let key = stem;
  for (let n = 2; key in file.sources; n++) key = `${stem}-${n}`;
  return [{ ...file, sources: { ...file.sources, [key]: { title, publisher, url, retrievedOn: today } } }, key];
}

/** What of a row is about its own words, dates and terms, and not handed on to the one that follows it. */
const own = [
  ...['ruleId', 'rate', 'brackets', 'slabs', 'unitAmount', 'reason', 'validFrom', 'validFromKnown', 'validTo'],
  ...['source', 'legalRef', 'confidence', 'says', 'note', 'example', 'sunsetOn', 'mixed'],
  ...['threshold', 'atLeast', 'allowance', 'maxTax', 'minTax'],
];
/** Limits of the base and the tax stay with a new rate. */
const limits = ['threshold', 'atLeast', 'allowance', 'maxTax', 'minTax', 'mixed'];

function made(
  identity: Partial<Row>,
  t: Terms,
  ruleId: string,
  validTo: string | null,
  source: string,
  currency: string,
): Row {
  const said = t.says.trim();
  return {
    ruleId,
    ...identity,
    ...termsOf(t, currency),
    validFrom: t.validFrom,
    validTo,
    source,
    legalRef: t.law.trim() === '' ? null : t.law.trim(),
    confidence: t.confidence,
    ...(said === '' ? {} : { says: said }),
    ...(t.exampleAmount.trim() === ''
      ? {}
      : { example: { amount: plainNumber(t.exampleAmount), tax: plainNumber(t.exampleTax) } }),
  } as Row;
}

/** A row ends where one with other terms begins, which ends when the first would have. */
export function changeRate(file: TaxFile, row: Row, t: Terms, today: string): TaxFile {
  const [sourced, source] = withSource(file, t, today);
  const kept = Object.fromEntries(
    Object.entries(row).filter(([name]) => !own.includes(name) || limits.includes(name)),
  ) as Partial<Row>;
  const next = made(
    kept,
    t,
    nextRuleId(file, row.ruleId, t.validFrom),
    row.validTo,
    source,
    row.currency ?? file.currency,
  );
  const rules = file.rules.flatMap((r) => (r.ruleId === row.ruleId ? [{ ...r, validTo: t.validFrom }, next] : [r]));
  return { ...sourced, rules };
}

/** What distinguishes a new row from others. */
export type Identity = Pick<Row, 'taxCode' | 'category' | 'operations' | 'base' | 'bearer' | 'inTransaction'> & {
  readonly supplies: readonly string[];
  readonly mccRanges: readonly string[];
  readonly classifications: readonly string[];
  readonly productLines: readonly string[];
  readonly subdivision: string;
  readonly customer: string;
  readonly client: string;
  /** Of a tax on payments by periodic return. */
  readonly owedBy: Debtor;
  /** To whom a tax by periodic return is paid; empty if no source says so. */
  readonly authority: string;
};

/** Bases of taxes on payments: such a tax by periodic return is a duty that is recorded with each payment. */
const ofPayments = ['NET_ADD_ON', 'TRANSACTION', 'DEPOSIT_VALUE', 'WITHDRAWAL_VALUE', 'FEE'];

const ofCalls = ['CALL_COST', 'MINUTES', 'COUNT', 'DATA_MB', 'RECHARGE'];

export const isDuty = (i: Pick<Identity, 'base' | 'inTransaction'>): boolean =>
  !i.inTransaction && ofPayments.includes(i.base);

/** Whether it may say to whom it is paid: a tax by periodic return on payments, calls or recharges. */
export const namesAuthority = (i: Pick<Identity, 'base' | 'inTransaction'>): boolean =>
  isDuty(i) || (!i.inTransaction && ofCalls.includes(i.base));

export function addRow(file: TaxFile, i: Identity, t: Terms, today: string): TaxFile {
  const [sourced, source] = withSource(file, t, today);
  const what = [
    i.subdivision.replace(`${file.jurisdiction}-`, ''),
    i.supplies[0] ?? i.productLines[0] ?? '',
    i.category,
  ]
    .filter(Boolean)
    .join('-');
  const name = `${file.jurisdiction}-${i.taxCode}-${what}`.toUpperCase().replace(/[^A-Z0-9]+/g, '-');
  const identity = {
    ...{ taxCode: i.taxCode, category: i.category, operations: i.operations },
    ...{ classifications: i.classifications, mccRanges: i.mccRanges },
    ...(i.supplies.length > 0 ? { supplies: i.supplies } : {}),
    ...(i.productLines.length > 0 ? { productLines: i.productLines } : {}),
    ...(i.subdivision === '' ? {} : { subdivision: i.subdivision }),
    ...(i.customer === '' ? {} : { customer: i.customer }),
    ...(i.client === '' ? {} : { client: i.client }),
    ...{ base: i.base, compoundsOn: [], bearer: i.bearer, inTransaction: i.inTransaction },
    ...(isDuty(i) ? { owedBy: i.owedBy } : {}),
    ...(namesAuthority(i) && i.authority.trim() !== '' ? { authority: i.authority.trim() } : {}),
    rounding: 'HALF_UP',
  };
  const row = made(identity, t, nextRuleId(file, name, t.validFrom), null, source, file.currency);
  return { ...sourced, rules: [...file.rules, row] };
}

/** @param end first day on which the row is not in force */
export const endRow = (file: TaxFile, ruleId: string, end: string): TaxFile => ({
  ...file,
  rules: file.rules.map((r) => (r.ruleId === ruleId ? { ...r, validTo: end } : r)),
});

export interface RowChange {
  readonly ruleId: string;
  readonly was: Row | undefined;
  readonly is: Row | undefined;
}

/** The rows that differ, in the order of the files: those that end before those that begin in their place. */
export function rowChanges(before: TaxFile | undefined, after: TaxFile): readonly RowChange[] {
  const was = new Map((before?.rules ?? []).map((r) => [r.ruleId, r]));
  const is = new Map(after.rules.map((r) => [r.ruleId, r]));
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((ruleId) => ({ ruleId, was: was.get(ruleId), is: is.get(ruleId) }))
    .filter((c) => JSON.stringify(c.was) !== JSON.stringify(c.is));
}
