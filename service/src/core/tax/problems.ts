// The checks of a country file. A file is accepted or rejected as a whole: every problem is a sentence that names its
// row.
import { isDate } from '../calendar.ts';
import { parseDecimal } from '../money.ts';
import {
  type CountryTax,
  confidences,
  contest,
  isChoosable,
  mccRange,
  type TaxedOperation,
  type TaxRule,
  taxBases,
  taxCategories,
  taxedOperations,
} from './rule.ts';

const bearers = new Set(['CUSTOMER', 'MERCHANT', 'OPERATOR', 'PLAYER', 'PSP']);
const roundings = new Set(['HALF_UP', 'HALF_EVEN', 'DOWN']);
/** Bases that are quantities: their rules have an amount per unit, not a percentage. */
const counted = new Set<unknown>(['MINUTES', 'COUNT', 'DATA_MB']);
const isObject = (v: unknown): v is object => typeof v === 'object' && v !== null && !Array.isArray(v);
/** Creating a formatter is slow, and it also knows other names of a zone: it is used only for names not in this set. */
const usualZones = new Set(Intl.supportedValuesOf('timeZone'));
const isTimeZone = (v: unknown): boolean => {
  try {
    return isText(v) && (usualZones.has(v) || new Intl.DateTimeFormat('en', { timeZone: v }) !== undefined);
  } catch {
    return false;
  }
};
const isText = (v: unknown): v is string => typeof v === 'string' && v.trim() !== '';
const matches = (v: unknown, pattern: RegExp): boolean => typeof v === 'string' && pattern.test(v);
/** Any value as text. */
const show = (v: unknown): string => (typeof v === 'string' ? v : (JSON.stringify(v) ?? String(v)));
const isTexts = (v: unknown): v is string[] => Array.isArray(v) && v.every((x) => typeof x === 'string');

/** Problems of one row, each a sentence; empty if the row is valid. */
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
  need(taxCategories.includes(r.category), `category '${show(r.category)}' is not known`);
  need(taxBases.includes(r.base), `base '${show(r.base)}' is not known`);
  need(isTexts(r.operations) && r.operations.length > 0, 'operations must name at least one operation');
  if (isTexts(r.operations))
    for (const o of r.operations) need(taxedOperations.includes(o), `operation '${show(o)}' is not known`);
  need(isTexts(r.classifications), 'classifications must be an array');
  need(
    isTexts(r.mccRanges) && r.mccRanges.every((m) => /^\d{4}(-\d{4})?$/.test(m) && mccRange(m)[0] <= mccRange(m)[1]),
    "mccRanges must look like '5812' or '5812-5814'",
  );
  need(
    r.productLines === undefined || (isTexts(r.productLines) && r.productLines.every((l) => l === l.toLowerCase())),
    'productLines must be an array of lower-case names',
  );
  need(isTexts(r.compoundsOn), 'compoundsOn must be an array');
  if (isTexts(r.compoundsOn))
    for (const code of r.compoundsOn)
      need(
        file.rules.some((other) => other.taxCode === code),
        `compoundsOn '${code}' is no tax of this file`,
      );
  need((r.rate === undefined) !== (r.unitAmount === undefined), 'exactly one of rate and unitAmount must stand');
  need(
    (r.unitAmount !== undefined) === counted.has(r.base),
    'unitAmount belongs to the bases MINUTES, COUNT and DATA_MB, rate to all others',
  );
  if (r.rate !== undefined) {
    const rate = typeof r.rate === 'string' ? parseDecimal(r.rate) : undefined;
    need(rate !== undefined && rate.units >= 0n, `rate '${show(r.rate)}' must be a percentage as text, not negative`);
    if (rate?.units === 0n) need(isText(r.reason), 'a rate of 0 needs its reason');
    if (r.reason === 'UNKNOWN') need(rate?.units === 0n, 'a rate that is unknown is written as 0');
  }
  if (r.unitAmount !== undefined) {
    const unit = typeof r.unitAmount === 'string' ? parseDecimal(r.unitAmount) : undefined;
    need(unit !== undefined && unit.units >= 0n, `unitAmount '${show(r.unitAmount)}' must be an amount as text`);
    need(isText(r.currency), 'unitAmount needs its currency');
  }
  if (r.threshold !== undefined)
    need(typeof r.threshold === 'string' && !!parseDecimal(r.threshold), 'threshold must be an amount as text');
  need(bearers.has(r.bearer), `bearer '${show(r.bearer)}' is not known`);
  need(typeof r.inTransaction === 'boolean', 'inTransaction must be true or false');
  need(!(r.base === 'GGR_PERIOD' && r.inTransaction), 'a GGR_PERIOD row accrues: inTransaction must be false');
  need(roundings.has(r.rounding), `rounding '${show(r.rounding)}' is not known`);
  need(
    r.exemptOrigins === undefined || (isTexts(r.exemptOrigins) && r.exemptOrigins.every((c) => /^[A-Z]{2}$/.test(c))),
    'exemptOrigins must be an array of country codes',
  );
  need(r.sunsetOn === undefined || isDate(r.sunsetOn), `sunsetOn '${show(r.sunsetOn)}' is not a date`);
  need(r.validFromKnown === undefined || typeof r.validFromKnown === 'boolean', 'validFromKnown must be true or false');
  need(isDate(r.validFrom), `validFrom '${show(r.validFrom)}' is not a date`);
  need(r.validTo === null || (isDate(r.validTo) && r.validTo > r.validFrom), 'validTo must be null or a later date');
  need(
    isText(r.source) && Object.hasOwn(file.sources, r.source),
    `source '${show(r.source)}' is not among the file's sources`,
  );
  need(confidences.includes(r.confidence), `confidence '${show(r.confidence)}' is not known`);
  if (r.reason === 'UNKNOWN')
    need(
      r.confidence === 'assumed' || r.confidence === 'unverified',
      'a rate that is unknown is assumed or unverified',
    );
  if (isText(r.source) && file.sources[r.source]?.url === null)
    need(
      r.confidence === 'assumed' || r.confidence === 'unverified',
      'a source without an address can only back an assumed or unverified row',
    );
  return out;
}

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

/** Dates are checked for gaps from here on. */
export const HISTORY_FROM = '2024-01-01';

/** All problems of a country file, each with its row; empty if the file may be loaded. */
export function countryProblems(file: CountryTax): string[] {
  const out: string[] = [];
  if (!matches(file.jurisdiction, /^[A-Z]{2}$/)) out.push('jurisdiction must be two capital letters');
  if (!isTimeZone(file.timeZone)) out.push(`timeZone '${show(file.timeZone)}' is not known`);
  if (!matches(file.currency, /^[A-Z]{3}$/)) out.push('currency must be three capital letters');
  if (!isObject(file.sources)) out.push('sources must be an object');
  if (!Array.isArray(file.rules) || !file.rules.every(isObject)) out.push('rules must be an array of rows');
  if (out.length > 0) return out;
  for (const [key, s] of Object.entries(file.sources)) {
    if (
      !isObject(s) ||
      !isText(s.title) ||
      !isText(s.publisher) ||
      !isDate(s.retrievedOn) ||
      !(s.url === null || matches(s.url, /^https?:\/\//))
    )
      out.push(`source '${key}' needs title, publisher, url and retrievedOn`);
  }
  const seen = new Set<string>();
  for (const [i, r] of file.rules.entries()) {
    const where = `row ${i + 1} (${r.ruleId === undefined ? 'no ruleId' : show(r.ruleId)})`;
    for (const p of rowProblems(r, file)) out.push(`${where}: ${p}`);
    if (seen.has(r.ruleId)) out.push(`${where}: ruleId occurs twice`);
    seen.add(r.ruleId);
  }
  if (out.length > 0) return out;
  for (let i = 0; i < file.rules.length; i++)
    for (let j = i + 1; j < file.rules.length; j++) {
      const a = file.rules[i] as TaxRule;
      const b = file.rules[j] as TaxRule;
      if (overlap(a, b)) out.push(`row ${j + 1} (${b.ruleId}): overlaps row ${i + 1} (${a.ruleId})`);
    }
  for (const kind of new Set(file.rules.map((r) => contest(r.base)))) {
    const circle = compoundCircle(file.rules.filter((r) => contest(r.base) === kind));
    if (circle) out.push(`taxes compound on each other in a circle: ${circle.join(' on ')}`);
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

/** First date from HISTORY_FROM on that no rule covers; undefined if all are covered. */
function firstGap(rules: readonly TaxRule[]): string | undefined {
  let reached = HISTORY_FROM;
  for (const r of [...rules].sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1))) {
    if (r.validFrom > reached) return reached;
    if (r.validTo === null) return undefined;
    if (r.validTo > reached) reached = r.validTo;
  }
  return reached;
}

/** Tax codes that compound on each other in a cycle, the first one repeated last; undefined if there is no cycle. */
function compoundCircle(rules: readonly TaxRule[]): string[] | undefined {
  const on = new Map<string, Set<string>>();
  for (const r of rules)
    for (const code of r.compoundsOn) on.set(r.taxCode, (on.get(r.taxCode) ?? new Set()).add(code));
  const find = (path: string[]): string[] | undefined => {
    for (const code of on.get(path.at(-1) as string) ?? []) {
      if (path.includes(code)) return [...path.slice(path.indexOf(code)), code];
      const found = find([...path, code]);
      if (found) return found;
    }
    return undefined;
  };
  for (const code of on.keys()) {
    const found = find([code]);
    if (found) return found;
  }
  return undefined;
}
