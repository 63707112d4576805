// The checks of a country file. A file is accepted or rejected as a whole: every problem is a sentence that names its
// row.
import { type Said, said } from '../said.ts';
import {
  discountProblems,
  gamingProblems,
  isObject,
  isText,
  matches,
  noFlag,
  noList,
  rowProblems,
  show,
  sourceProblems,
  thresholdProblems,
  unknown,
} from './row-problems.ts';
import {
  type CountryTax,
  contest,
  type DiscountFact,
  type GamingFact,
  isChoosable,
  mccRange,
  type RegistrationThreshold,
  type TaxedOperation,
  type TaxRule,
} from './rule.ts';

/** Creating a formatter is slow, and it also knows other names of a zone: it is used only for names not in this set. */
const usualZones = new Set(Intl.supportedValuesOf('timeZone'));
const isTimeZone = (v: unknown): boolean => {
  try {
    return isText(v) && (usualZones.has(v) || new Intl.DateTimeFormat('en', { timeZone: v }) !== undefined);
  } catch {
    return false;
  }
};

/** Problems of a list of dated facts of a file. */
function listProblems<T>(name: string, list: unknown, of: (item: T) => Said[]): Said[] {
  if (!Array.isArray(list) || !list.every(isObject)) return [noList(name)];
  return list.flatMap((item, i) => of(item as T).map((p) => said`${name} ${i + 1}: ${p}`));
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
  if (a.customer !== b.customer || a.client !== b.client || a.subdivision !== b.subdivision) return false;
  const sa = a.supplies ?? [];
  const sb = b.supplies ?? [];
  if (sa.length > 0 !== sb.length > 0 || (sa.length > 0 && !meet(sa, sb))) return false;
  const la = a.productLines ?? [];
  const lb = b.productLines ?? [];
  if (la.length > 0 !== lb.length > 0 || (la.length > 0 && !meet(la, lb))) return false;
  if (a.mccRanges.length > 0 !== b.mccRanges.length > 0) return false;
  if (a.mccRanges.length > 0 && !mccOverlap(a.mccRanges, b.mccRanges)) return false;
  return a.validFrom < (b.validTo ?? '9999-12-31') && b.validFrom < (a.validTo ?? '9999-12-31');
}

/** Totals of calls are added up by tax, which is therefore never in calls and beside them on one day. */
const isBothWays = (a: TaxRule, b: TaxRule): boolean =>
  a.taxCode === b.taxCode &&
  a.inTransaction !== b.inTransaction &&
  a.operations.includes('recordCDR') &&
  b.operations.includes('recordCDR') &&
  a.validFrom < (b.validTo ?? '9999-12-31') &&
  b.validFrom < (a.validTo ?? '9999-12-31');

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
export function countryProblems(file: CountryTax): Said[] {
  const out: Said[] = [];
  if (!matches(file.jurisdiction, /^[A-Z]{2}$/)) out.push(said`jurisdiction must be two capital letters`);
  if (!isTimeZone(file.timeZone)) out.push(unknown('timeZone', file.timeZone));
  if (!matches(file.currency, /^[A-Z]{3}$/)) out.push(said`currency must be three capital letters`);
  if (!isObject(file.sources)) out.push(said`sources must be an object`);
  if (file.subdivided !== undefined && typeof file.subdivided !== 'boolean') out.push(noFlag('subdivided'));
  if (!Array.isArray(file.rules) || !file.rules.every(isObject)) out.push(said`rules must be an array of rows`);
  if (out.length > 0) return out;
  out.push(...sourceProblems(file.sources));
  const seen = new Set<string>();
  for (const [i, r] of file.rules.entries()) {
    const where = said`row ${i + 1} (${r.ruleId === undefined ? said`no ruleId` : show(r.ruleId)})`;
    for (const p of rowProblems(r, file)) out.push(said`${where}: ${p}`);
    if (seen.has(r.ruleId)) out.push(said`${where}: ruleId occurs twice`);
    seen.add(r.ruleId);
  }
  out.push(
    ...listProblems<RegistrationThreshold>('registration', file.registration ?? [], (t) => thresholdProblems(t, file)),
    ...listProblems<DiscountFact>('discounts', file.discounts ?? [], (d) => discountProblems(d, file)),
    ...listProblems<GamingFact>('gaming', file.gaming ?? [], (g) => gamingProblems(g, file)),
  );
  if (out.length > 0) return out;
  for (let i = 0; i < file.rules.length; i++)
    for (let j = i + 1; j < file.rules.length; j++) {
      const a = file.rules[i] as TaxRule;
      const b = file.rules[j] as TaxRule;
      if (overlap(a, b)) out.push(said`row ${j + 1} (${b.ruleId}): overlaps row ${i + 1} (${a.ruleId})`);
      if (isBothWays(a, b))
        out.push(
          said`row ${j + 1} (${b.ruleId}): a tax on calls is part of each call or due by return, and row ${i + 1} (${a.ruleId}) has it the other way`,
        );
    }
  for (const kind of new Set(file.rules.map((r) => contest(r.base)))) {
    const circle = compoundCircle(file.rules.filter((r) => contest(r.base) === kind));
    if (circle) out.push(said`taxes compound on each other in a circle: ${circle.join(' on ')}`);
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
          !r.exceptSupplies?.length &&
          !r.exceptOnTheSpot &&
          r.classifications.length === 0 &&
          r.mccRanges.length === 0 &&
          r.supplies === undefined &&
          r.customer === undefined &&
          r.client === undefined &&
          r.subdivision === undefined &&
          (r.productLines ?? []).length === 0,
      ),
    );
    if (gap) out.push(said`no ${kind} rule for ${operation} on ${gap}`);
  }
  return out;
}

/** First date from HISTORY_FROM on that no rule covers; undefined if all are covered. */
export function firstGap(rules: readonly TaxRule[]): string | undefined {
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
