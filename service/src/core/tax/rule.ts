// A tax rule row and a country file, as service/data/tax/README.md describes them, and their checks.
// A file is good as a whole or refused as a whole: every problem is named with its row.
import { parseDecimal, type Rounding } from '../money.ts';

export const taxBases = [
  'GROSS_INCLUSIVE',
  'NET_ADD_ON',
  'FEE',
  'DEPOSIT_VALUE',
  'WITHDRAWAL_VALUE',
  'STAKE',
  'STAKE_INCLUSIVE',
  'WINNINGS',
  'PAYOUT',
  'GGR_PERIOD',
  'CALL_COST',
  'MINUTES',
  'COUNT',
  'DATA_MB',
] as const;
export type TaxBase = (typeof taxBases)[number];

export const taxCategories = [
  'standard',
  'reduced',
  'super_reduced',
  'zero',
  'exempt',
  'none',
  'gambling',
  'crypto_exchange',
  'payment_service',
  'telecom_voice',
  'telecom_sms',
  'telecom_data',
  'telecom_incoming',
] as const;
export type TaxCategory = (typeof taxCategories)[number];

export const taxedOperations = [
  'verifyTransaction',
  'deposit',
  'withdrawal',
  'cryptoDeposit',
  'cryptoWithdrawal',
  'captureWager',
  'capturePayout',
  'recordCDR',
] as const;
export type TaxedOperation = (typeof taxedOperations)[number];

export interface TaxSource {
  readonly title: string;
  readonly publisher: string;
  readonly url: string | null;
  readonly retrievedOn: string;
}

export interface TaxRule {
  readonly ruleId: string;
  readonly taxCode: string;
  readonly category: TaxCategory;
  readonly operations: readonly TaxedOperation[];
  readonly classifications: readonly string[];
  readonly mccRanges: readonly string[];
  readonly productLines?: readonly string[];
  readonly base: TaxBase;
  /** Percent as text; absent where `unitAmount` stands. */
  readonly rate?: string;
  readonly unitAmount?: string;
  readonly currency?: string;
  readonly compoundsOn: readonly string[];
  readonly bearer: 'CUSTOMER' | 'MERCHANT' | 'OPERATOR' | 'PLAYER' | 'PSP';
  readonly inTransaction: boolean;
  readonly rounding: Rounding;
  /** Local calendar dates, half-open. */
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly reason?: string | null;
  readonly threshold?: string;
  readonly exemptOrigins?: readonly string[];
  readonly sunsetOn?: string;
  readonly source: string;
  readonly legalRef: string | null;
  readonly confidence: 'official' | 'secondary' | 'unverified';
  readonly note?: string;
}

export interface CountryTax {
  readonly jurisdiction: string;
  readonly name: string;
  readonly timeZone: string;
  readonly currency: string;
  readonly sources: Readonly<Record<string, TaxSource>>;
  readonly rules: readonly TaxRule[];
}

const bearers = new Set(['CUSTOMER', 'MERCHANT', 'OPERATOR', 'PLAYER', 'PSP']);
const confidences = new Set(['official', 'secondary', 'unverified']);
const roundings = new Set(['HALF_UP', 'HALF_EVEN', 'DOWN']);
const isDate = (v: unknown): v is string => {
  if (typeof v !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(v)) return false;
  const [y, m, d] = v.split('-').map(Number) as [number, number, number];
  const leap = (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][m - 1] ?? 0;
  return d >= 1 && d <= days;
};
const isText = (v: unknown): v is string => typeof v === 'string' && v.trim() !== '';
const isTexts = (v: unknown): v is string[] => Array.isArray(v) && v.every((x) => typeof x === 'string');

/** Problems of one row, each a sentence; empty when the row is good. */
function rowProblems(r: TaxRule, file: CountryTax): string[] {
  const out: string[] = [];
  const need = (ok: boolean, what: string) => {
    if (!ok) out.push(what);
  };
  need(
    isText(r.ruleId) && /^[A-Z0-9][A-Z0-9_.-]{2,79}$/.test(r.ruleId),
    'ruleId must be upper-case letters, digits, - _ .',
  );
  need(isText(r.taxCode) && /^[A-Z][A-Z0-9_]{1,23}$/.test(r.taxCode), 'taxCode must be an upper-case code');
  need(taxCategories.includes(r.category), `category '${r.category}' is not known`);
  need(taxBases.includes(r.base), `base '${r.base}' is not known`);
  need(isTexts(r.operations) && r.operations.length > 0, 'operations must name at least one operation');
  if (isTexts(r.operations))
    for (const o of r.operations) need(taxedOperations.includes(o), `operation '${o}' is not known`);
  need(isTexts(r.classifications), 'classifications must be an array');
  need(
    isTexts(r.mccRanges) && r.mccRanges.every((m) => /^\d{4}(-\d{4})?$/.test(m)),
    "mccRanges must look like '5812' or '5812-5814'",
  );
  need(isTexts(r.compoundsOn), 'compoundsOn must be an array');
  need((r.rate === undefined) !== (r.unitAmount === undefined), 'exactly one of rate and unitAmount must stand');
  if (r.rate !== undefined) {
    const rate = typeof r.rate === 'string' ? parseDecimal(r.rate) : undefined;
    need(rate !== undefined && rate.units >= 0n, `rate '${r.rate}' must be a percentage as text, not negative`);
    if (rate?.units === 0n) need(isText(r.reason), 'a rate of 0 needs its reason');
  }
  if (r.unitAmount !== undefined) {
    const unit = typeof r.unitAmount === 'string' ? parseDecimal(r.unitAmount) : undefined;
    need(unit !== undefined && unit.units >= 0n, `unitAmount '${r.unitAmount}' must be an amount as text`);
    need(isText(r.currency), 'unitAmount needs its currency');
  }
  if (r.threshold !== undefined)
    need(typeof r.threshold === 'string' && !!parseDecimal(r.threshold), 'threshold must be an amount as text');
  need(bearers.has(r.bearer), `bearer '${r.bearer}' is not known`);
  need(typeof r.inTransaction === 'boolean', 'inTransaction must be true or false');
  need(!(r.base === 'GGR_PERIOD' && r.inTransaction), 'a GGR_PERIOD row accrues: inTransaction must be false');
  need(roundings.has(r.rounding), `rounding '${r.rounding}' is not known`);
  need(isDate(r.validFrom), `validFrom '${r.validFrom}' is not a date`);
  need(r.validTo === null || (isDate(r.validTo) && r.validTo > r.validFrom), 'validTo must be null or a later date');
  need(
    isText(r.source) && Object.hasOwn(file.sources, r.source),
    `source '${r.source}' is not among the file's sources`,
  );
  need(confidences.has(r.confidence), `confidence '${r.confidence}' is not known`);
  if (isText(r.source) && file.sources[r.source]?.url === null)
    need(r.confidence === 'unverified', 'a source without an address can only back an unverified row');
  return out;
}

/** What a rule competes for: two rows in one contest with equal narrowness and overlapping dates overlap. */
export function contest(base: TaxBase): string {
  switch (base) {
    case 'GROSS_INCLUSIVE':
    case 'NET_ADD_ON':
      return 'sale';
    case 'FEE':
      return 'fee';
    default:
      return base;
  }
}

/** A reduced rate without an MCC is published, never chosen by itself. */
export const isChoosable = (r: TaxRule): boolean =>
  !((r.category === 'reduced' || r.category === 'super_reduced') && r.mccRanges.length === 0);

const meet = (a: readonly string[], b: readonly string[]) => a.some((x) => b.includes(x));

function overlap(a: TaxRule, b: TaxRule): boolean {
  if (a.taxCode !== b.taxCode || contest(a.base) !== contest(b.base) || a.inTransaction !== b.inTransaction)
    return false;
  if (!isChoosable(a) || !isChoosable(b)) return false;
  if (a.category.startsWith('telecom_') && b.category.startsWith('telecom_') && a.category !== b.category) return false;
  if (a.operations.length !== b.operations.length || !meet(a.operations, b.operations)) return false;
  if (a.classifications.length > 0 !== b.classifications.length > 0) return false;
  if (a.classifications.length > 0 && !meet(a.classifications, b.classifications)) return false;
  const la = a.productLines ?? [];
  const lb = b.productLines ?? [];
  if (la.length > 0 !== lb.length > 0 || (la.length > 0 && !meet(la, lb))) return false;
  if (a.mccRanges.length > 0 !== b.mccRanges.length > 0) return false;
  if (a.mccRanges.length > 0 && !mccOverlap(a.mccRanges, b.mccRanges)) return false;
  return a.validFrom < (b.validTo ?? '9999-12-31') && b.validFrom < (a.validTo ?? '9999-12-31');
}

function mccOverlap(a: readonly string[], b: readonly string[]): boolean {
  return a.some((x) => {
    const [xf, xt] = mccRange(x);
    return b.some((y) => {
      const [yf, yt] = mccRange(y);
      return xf <= yt && yf <= xt && xt - xf === yt - yf;
    });
  });
}

/** '5812-5814' as numbers, inclusive. */
export function mccRange(text: string): [number, number] {
  const [from, to] = text.split('-');
  return [Number(from), Number(to ?? from)];
}

/** Dates are checked for gaps from here on. */
export const HISTORY_FROM = '2024-01-01';

/** All problems of a country file, each with its row; empty when it may be loaded. */
export function countryProblems(file: CountryTax): string[] {
  const out: string[] = [];
  if (!/^[A-Z]{2}$/.test(file.jurisdiction ?? '')) out.push('jurisdiction must be two capital letters');
  if (!isText(file.timeZone)) out.push('timeZone is missing');
  if (!isText(file.currency)) out.push('currency is missing');
  for (const [key, s] of Object.entries(file.sources ?? {})) {
    if (
      !isText(s.title) ||
      !isText(s.publisher) ||
      !isDate(s.retrievedOn) ||
      !(s.url === null || /^https?:\/\//.test(s.url))
    )
      out.push(`source '${key}' needs title, publisher, url and retrievedOn`);
  }
  const seen = new Set<string>();
  for (const [i, r] of (file.rules ?? []).entries()) {
    const where = `row ${i + 1} (${r.ruleId ?? 'no ruleId'})`;
    for (const p of rowProblems(r, file)) out.push(`${where}: ${p}`);
    if (seen.has(r.ruleId)) out.push(`${where}: ruleId stands twice`);
    seen.add(r.ruleId);
  }
  if (out.length > 0) return out;
  for (let i = 0; i < file.rules.length; i++)
    for (let j = i + 1; j < file.rules.length; j++) {
      const a = file.rules[i] as TaxRule;
      const b = file.rules[j] as TaxRule;
      if (overlap(a, b)) out.push(`row ${j + 1} (${b.ruleId}): overlaps row ${i + 1} (${a.ruleId})`);
    }
  const flows: [TaxedOperation, string][] = [
    ['verifyTransaction', 'sale'],
    ['verifyTransaction', 'fee'],
    ['deposit', 'fee'],
    ['withdrawal', 'fee'],
    ['cryptoDeposit', 'fee'],
    ['cryptoWithdrawal', 'fee'],
  ];
  for (const [operation, kind] of flows) {
    const gap = firstGap(
      file.rules.filter(
        (r) =>
          isChoosable(r) &&
          contest(r.base) === kind &&
          r.operations.includes(operation) &&
          r.inTransaction &&
          r.classifications.length === 0 &&
          r.mccRanges.length === 0 &&
          (r.productLines ?? []).length === 0,
      ),
    );
    if (gap) out.push(`no ${kind} rule for ${operation} on ${gap}`);
  }
  return out;
}

/** First date from HISTORY_FROM on that no rule covers; undefined when all are. */
function firstGap(rules: readonly TaxRule[]): string | undefined {
  let reached = HISTORY_FROM;
  for (const r of [...rules].sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1))) {
    if (r.validFrom > reached) return reached;
    if (r.validTo === null) return undefined;
    if (r.validTo > reached) reached = r.validTo;
  }
  return reached;
}

/**
 * What a row competes for, as one text: rows of a country with the same slot may not be valid on the same day.
 * A published row that is never chosen competes with nothing but itself.
 */
export function ruleSlot(r: TaxRule): string {
  if (!isChoosable(r)) return `published|${r.ruleId}`;
  const list = (items: readonly string[] | undefined) => [...(items ?? [])].sort().join('+');
  const telecom = r.category.startsWith('telecom_') ? r.category : '';
  return [
    r.taxCode,
    contest(r.base),
    r.inTransaction,
    telecom,
    list(r.operations),
    list(r.classifications),
    list(r.mccRanges),
    list(r.productLines),
  ].join('|');
}
