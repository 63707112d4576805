// The fee schedule: this service's own fee. Dated rows; a PSP's own rows come before general ones, and the narrowest
// match wins.
import { isDate, isInForce } from './calendar.ts';
import type { PspId } from './ids.ts';
import { decimal, divideRounded, parseDecimal, pow10, ratio } from './money.ts';
import { type Said, said } from './said.ts';

export interface FeeRule {
  readonly feeId: string;
  /** UUID of the PSP the row is for; absent = every PSP. */
  readonly psp?: PspId;
  readonly operations: readonly string[];
  readonly classifications: readonly string[];
  readonly countries: readonly string[];
  /** Currency the row is limited to; required with fixed, min or max. */
  readonly currency?: string;
  /** Percent as text. */
  readonly percent: string;
  readonly fixed?: string;
  readonly min?: string;
  readonly max?: string;
  readonly validFrom: string;
  readonly validTo: string | null;
}

export interface FeeQuestion {
  readonly psp: PspId;
  readonly operation: string;
  readonly classification: string;
  readonly country: string;
  readonly currency: string;
  readonly date: string;
}

export class FeeSchedule {
  readonly #rules: readonly FeeRule[];
  readonly #chosen = new Map<string, FeeRule | undefined>();

  constructor(rules: readonly FeeRule[]) {
    this.#rules = rules;
  }

  get rules(): readonly FeeRule[] {
    return this.#rules;
  }

  rule(feeId: string): FeeRule | undefined {
    return this.#rules.find((r) => r.feeId === feeId);
  }

  choose(q: FeeQuestion): FeeRule | undefined {
    const key = `${q.psp}|${q.operation}|${q.classification}|${q.country}|${q.currency}|${q.date}`;
    const known = this.#chosen.get(key);
    if (known) return known;
    let best: FeeRule | undefined;
    for (const r of this.#rules) if (fits(r, q) && (!best || narrower(r, best))) best = r;
    if (this.#chosen.size >= 20_000) this.#chosen.clear();
    this.#chosen.set(key, best);
    return best;
  }
}

const allows = (list: readonly string[], value: string) => list.length === 0 || list.includes(value);

function fits(r: FeeRule, q: FeeQuestion): boolean {
  return (
    (r.psp === undefined || r.psp === q.psp) &&
    allows(r.operations, q.operation) &&
    allows(r.classifications, q.classification) &&
    allows(r.countries, q.country) &&
    (r.currency === undefined || r.currency === q.currency) &&
    isInForce(r, q.date)
  );
}

function narrower(a: FeeRule, b: FeeRule): boolean {
  const rank = (r: FeeRule) => [
    r.psp ? 0 : 1,
    r.countries.length > 0 ? 0 : 1,
    r.classifications.length > 0 ? 0 : 1,
    r.currency ? 0 : 1,
    r.operations.length || 99,
  ];
  const ra = rank(a);
  const rb = rank(b);
  for (let i = 0; i < ra.length; i++) if (ra[i] !== rb[i]) return (ra[i] as number) < (rb[i] as number);
  return a.validFrom === b.validFrom ? a.feeId < b.feeId : a.validFrom > b.validFrom;
}

/**
 * The fee on `amount` (units of `scale`): percent, rounded half-up, plus the fixed part, within min and max. Parts of a
 * row below the asset's smallest unit are rounded half-up.
 */
export function feeOn(r: FeeRule, amount: bigint, scale: number): bigint {
  const { n, d } = ratio(r.percent);
  const at = (text: string) => {
    const { units, scale: own } = decimal(text);
    return divideRounded(units * pow10(scale), pow10(own), 'HALF_UP');
  };
  let fee = n === 0n ? 0n : divideRounded(amount * n, d * 100n, 'HALF_UP');
  if (r.fixed) fee += at(r.fixed);
  if (r.min && fee < at(r.min)) fee = at(r.min);
  if (r.max && fee > at(r.max)) fee = at(r.max);
  return fee;
}

/** Earlier than any call. */
const firstDay = '1970-01-01';

const amountOk = (text: string | undefined) => text === undefined || (parseDecimal(text)?.units ?? -1n) >= 0n;

/** Problems of a fee row beside those in force; empty if it may be added. */
export function feeProblems(r: FeeRule, others: readonly FeeRule[]): Said[] {
  const out: Said[] = [];
  const percent = parseDecimal(r.percent);
  if (!/^[A-Z0-9][A-Z0-9_.-]{2,79}$/.test(r.feeId)) out.push(said`feeId must be upper-case letters, digits, - _ .`);
  if (!percent || percent.units < 0n || percent.units > 100n * 10n ** BigInt(percent.scale))
    out.push(said`percent must be from 0 to 100, as text`);
  for (const name of ['fixed', 'min', 'max'] as const) {
    if (!amountOk(r[name])) out.push(said`${name} must be an amount as text`);
    if (r[name] !== undefined && r.currency === undefined) out.push(said`${name} needs the currency it is in`);
  }
  const min = r.min === undefined ? undefined : parseDecimal(r.min);
  const max = r.max === undefined ? undefined : parseDecimal(r.max);
  if (min && max && min.units * 10n ** BigInt(max.scale) > max.units * 10n ** BigInt(min.scale))
    out.push(said`min is above max`);
  for (const name of ['validFrom', 'validTo'] as const) {
    const day = r[name];
    if (day !== null && !(isDate(day) && day >= firstDay))
      out.push(said`${name} '${day}' is no day of the calendar from ${firstDay} on`);
  }
  if (r.validTo !== null && !(r.validTo > r.validFrom)) out.push(said`validTo must be null or later than validFrom`);
  const selector = (f: FeeRule) =>
    JSON.stringify([
      f.psp ?? '',
      [...f.operations].sort(),
      [...f.classifications].sort(),
      [...f.countries].sort(),
      f.currency ?? '',
    ]);
  for (const o of others)
    if (
      selector(o) === selector(r) &&
      o.validFrom < (r.validTo ?? '9999-12-31') &&
      r.validFrom < (o.validTo ?? '9999-12-31')
    )
      out.push(said`it overlaps ${o.feeId}, which is for the same calls on the same days; end that one first`);
  return out;
}
