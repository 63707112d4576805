// The rule book: which rules apply to a transaction. Pure and deterministic: the same question gets the same rules from
// the same dataset.
import { isInForce } from '../calendar.ts';
import { addRatio, mulRatio, type Ratio } from '../money.ts';
import { percent } from './charge.ts';
import { type Candidate, candidateOf, type Fitting, narrower, type Range, widthFor } from './narrowest.ts';
import {
  type ClientKind,
  type CountryTax,
  type Customer,
  contest,
  isChoosable,
  mccRange,
  type TaxedOperation,
  type TaxRule,
  telecomKind,
} from './rule.ts';
import { isCounted } from './running.ts';
import type { Relief } from './supplier.ts';
import { onTheSpotMccs, type Supply, supplyOf } from './supplies.ts';

export interface TaxQuestion {
  /** ISO 3166-1 alpha-2. */
  readonly jurisdiction: string;
  readonly operation: TaxedOperation;
  readonly classification: string;
  readonly mcc?: string | undefined;
  /** What is sold, if the caller says so; else the merchant's code tells it. */
  readonly supply?: Supply | undefined;
  readonly customer?: Customer | undefined;
  readonly client?: ClientKind | undefined;
  /** The part of the country, ISO 3166-2, if known. */
  readonly subdivision?: string | undefined;
  /** Product line of a wager, lower case. */
  readonly productLine?: string | undefined;
  /** Local calendar date. */
  readonly date: string;
}

/** A chosen rule with its rates as fractions (7.5 % = 75/1000). */
export interface ChosenRule {
  readonly rule: TaxRule;
  /** The effective rate on the base, compounding resolved. */
  readonly rate: Ratio;
  /** The rate in the row. */
  readonly ownRate: Ratio;
  /** Currency of the amounts in the row. */
  readonly currency: string;
  /** The rules whose tax is added to the base before this one is charged. */
  readonly on: readonly TaxRule[];
}

/** The rules for one question, grouped by what they apply to. */
export interface TaxPlan {
  readonly jurisdiction: string;
  readonly date: string;
  /** Contained in the gross amount. */
  readonly inclusive: readonly ChosenRule[];
  /** Sum of the inclusive rates. */
  readonly inclusiveRate: Ratio;
  /** Charged on the gross amount, withheld from the remainder. */
  readonly added: readonly ChosenRule[];
  /** Withheld from what is left for the client after everything else. */
  readonly withheld: readonly ChosenRule[];
  /** Charged on top of fees. */
  readonly fees: readonly ChosenRule[];
  /** All other bases within the transaction (stake, winnings, telecom …). */
  readonly others: readonly ChosenRule[];
  /** Rules that only accrue for a periodic return. */
  readonly accruals: readonly TaxRule[];
  /** What is sold, where that is known. */
  readonly supply: Supply | undefined;
  /** Whether the taxes of the part of the country are missing. */
  readonly incomplete: boolean;
  /** Whether tax is due on discounts too. */
  readonly discountsTaxed: boolean;
  /** Why none of the contained taxes is due, if the client owes none. */
  readonly relief?: Relief;
}

const zero: Ratio = { n: 0n, d: 1n };
const maxPlans = 20_000;

/** What a country's rules distinguish; the rest of a question does not affect their choice. */
interface Told {
  readonly classifications: ReadonlySet<string>;
  readonly productLines: ReadonlySet<string>;
  readonly mccRanges: readonly Range[];
  readonly subdivisions: ReadonlySet<string>;
  /** Operations in which a rule counts what came before. */
  readonly counted: ReadonlySet<TaxedOperation>;
}

export class RuleBook {
  /** Version of the dataset; stored with every transaction. */
  readonly version: string;
  readonly #countries: Map<string, CountryTax>;
  readonly #told: Map<string, Told>;
  readonly #rules: Map<string, { rule: TaxRule; country: CountryTax }>;
  /** By country and operation. */
  readonly #candidates = new Map<string, readonly Candidate[]>();
  readonly #plans = new Map<string, TaxPlan | undefined>();

  constructor(version: string, countries: readonly CountryTax[]) {
    this.version = version;
    this.#countries = new Map(countries.map((c) => [c.jurisdiction, c]));
    this.#told = new Map(countries.map((c) => [c.jurisdiction, toldApart(c)]));
    this.#rules = new Map(countries.flatMap((c) => c.rules.map((rule) => [rule.ruleId, { rule, country: c }])));
  }

  country(jurisdiction: string): CountryTax | undefined {
    return this.#countries.get(jurisdiction);
  }

  countries(): IterableIterator<CountryTax> {
    return this.#countries.values();
  }

  rule(ruleId: string): { rule: TaxRule; country: CountryTax } | undefined {
    return this.#rules.get(ruleId);
  }

  /** Whether a rule of the country counts in decisions on the operation, so that these need its sums. */
  counts(jurisdiction: string, operation: TaxedOperation): boolean {
    return this.#told.get(jurisdiction)?.counted.has(operation) === true;
  }

  /** The rules for one question; undefined if the country has none for the sale or fee on that date. */
  plan(q: TaxQuestion): TaxPlan | undefined {
    const told = this.#told.get(q.jurisdiction);
    if (!told) return undefined;
    // Hundreds of merchant codes share one cached answer if the country's rules name only a few of them.
    const classification = told.classifications.has(q.classification) ? q.classification : '';
    const line = q.productLine !== undefined && told.productLines.has(q.productLine) ? q.productLine : '';
    // What the caller says of the supply is narrower than the code of the merchant.
    const mcc = q.supply === undefined && q.mcc !== undefined && isWithin(told.mccRanges, Number(q.mcc)) ? q.mcc : '';
    const supply = q.operation === 'verifyTransaction' ? (q.supply ?? supplyOf(q.mcc, q.date)) : undefined;
    const part = q.subdivision !== undefined && told.subdivisions.has(q.subdivision) ? q.subdivision : '';
    const key = `${q.jurisdiction}|${q.operation}|${classification}|${mcc}|${supply ?? ''}|${q.customer ?? ''}|${q.client ?? ''}|${part}|${line}|${q.date}`;
    const known = this.#plans.get(key);
    if (known || this.#plans.has(key)) return known;
    const made = this.#choose({ ...q, mcc: mcc === '' ? undefined : mcc, supply });
    // Questions repeat within a day; a full table is cleared.
    if (this.#plans.size >= maxPlans) this.#plans.clear();
    this.#plans.set(key, made);
    return made;
  }

  #choose(q: TaxQuestion): TaxPlan | undefined {
    const country = this.#countries.get(q.jurisdiction);
    if (!country) return undefined;
    const code = q.mcc === undefined ? undefined : Number(q.mcc);
    const best = new Map<string, Fitting>();
    for (const c of this.#candidatesFor(country, q.operation)) {
      const width = widthFor(c, code);
      if (width === undefined || !fits(c.rule, q)) continue;
      const rival = best.get(c.slot);
      if (!rival || narrower(c, width, rival)) best.set(c.slot, { candidate: c, width });
    }
    const found = [...best.values()].map((f) => f.candidate.rule).sort((a, b) => (a.ruleId < b.ruleId ? -1 : 1));
    const isReplaced = (r: TaxRule) =>
      found.some((o) => o.replaces?.includes(r.taxCode) && contest(o.base) === contest(r.base));
    const winners = found.filter((r) => !isReplaced(r));
    const chosen = resolve(
      winners.filter((r) => r.inTransaction),
      country,
    );
    const of = (...bases: string[]) => chosen.filter((c) => bases.includes(c.rule.base));
    const inclusive = of('GROSS_INCLUSIVE');
    const plan: TaxPlan = {
      jurisdiction: q.jurisdiction,
      date: q.date,
      inclusive,
      inclusiveRate: inclusive.reduce((sum, c) => addRatio(sum, c.rate), zero),
      added: of('NET_ADD_ON', 'DEPOSIT_VALUE', 'WITHDRAWAL_VALUE', 'TRANSACTION'),
      withheld: of('REMITTANCE'),
      fees: of('FEE'),
      others: of('STAKE', 'STAKE_INCLUSIVE', 'WINNINGS', 'PAYOUT', 'CALL_COST', 'MINUTES', 'COUNT', 'DATA_MB'),
      accruals: winners.filter((r) => !r.inTransaction),
      supply: q.supply,
      incomplete:
        q.operation === 'verifyTransaction' && country.subdivided === true && !winners.some((r) => r.subdivision),
      discountsTaxed: country.discounts?.some((d) => d.treatment === 'TAXED' && isInForce(d, q.date)) === true,
    };
    if (q.operation === 'verifyTransaction' && inclusive.length + plan.added.length === 0) return undefined;
    const needsFee = q.operation !== 'captureWager' && q.operation !== 'capturePayout' && q.operation !== 'recordCDR';
    return needsFee && plan.fees.length === 0 ? undefined : plan;
  }

  #candidatesFor({ jurisdiction, rules }: CountryTax, operation: TaxedOperation): readonly Candidate[] {
    const key = `${jurisdiction}|${operation}`;
    const known = this.#candidates.get(key);
    if (known) return known;
    const made = rules.filter((r) => r.operations.includes(operation) && isChoosable(r)).map(candidateOf);
    this.#candidates.set(key, made);
    return made;
  }
}

const toldApart = ({ rules }: CountryTax): Told => ({
  classifications: new Set(rules.flatMap((r) => r.classifications)),
  productLines: new Set(rules.flatMap((r) => r.productLines ?? [])),
  mccRanges: [...new Set(rules.flatMap((r) => [...r.mccRanges, ...(r.exceptOnTheSpot ? onTheSpotMccs : [])]))].map(
    mccRange,
  ),
  subdivisions: new Set(rules.flatMap((r) => r.subdivision ?? [])),
  counted: new Set(rules.filter(isCounted).flatMap((r) => r.operations)),
});

const onTheSpot = onTheSpotMccs.map(mccRange);

const isWithin = (ranges: readonly Range[], code: number): boolean =>
  ranges.some(([from, to]) => code >= from && code <= to);

function fits(r: TaxRule, q: TaxQuestion): boolean {
  return (
    isInForce(r, q.date) &&
    (r.classifications.length === 0 || r.classifications.includes(q.classification)) &&
    (r.subdivision === undefined || r.subdivision === q.subdivision) &&
    (r.customer === undefined || r.customer === q.customer) &&
    (r.client === undefined || r.client === q.client) &&
    !(q.supply !== undefined && r.exceptSupplies?.includes(q.supply)) &&
    !(q.mcc !== undefined && r.exceptOnTheSpot && isWithin(onTheSpot, Number(q.mcc))) &&
    (r.supplies === undefined || (q.supply !== undefined && r.supplies.includes(q.supply))) &&
    (!r.productLines?.length || (q.productLine !== undefined && r.productLines.includes(q.productLine)))
  );
}

/** Effective rates: a rule that compounds on others is charged on the base plus their amounts. */
function resolve(rules: readonly TaxRule[], country: CountryTax): ChosenRule[] {
  const effective = new Map<TaxRule, Ratio>();
  const restsOn = (r: TaxRule): TaxRule[] =>
    r.compoundsOn.flatMap((code) =>
      rules.filter(
        (other) =>
          other !== r &&
          other.taxCode === code &&
          other.rate !== undefined &&
          contest(other.base) === contest(r.base) &&
          telecomKind(other) === telecomKind(r),
      ),
    );
  const rateOf = (r: TaxRule, path: readonly TaxRule[]): Ratio => {
    const known = effective.get(r);
    if (known) return known;
    if (path.includes(r)) throw new Error(`tax rules compound in a circle at ${r.ruleId}`);
    let factor: Ratio = { n: 1n, d: 1n };
    for (const other of restsOn(r)) factor = addRatio(factor, rateOf(other, [...path, r]));
    const rate = mulRatio(percent(r.rate ?? '0'), factor);
    effective.set(r, rate);
    return rate;
  };
  return rules.map((rule) => ({
    rule,
    rate: rateOf(rule, []),
    ownRate: percent(rule.rate ?? '0'),
    currency: rule.currency ?? country.currency,
    on: restsOn(rule),
  }));
}

/** The same rules for a client that owes none of the taxes contained in its sales. */
export const relieved = (plan: TaxPlan, relief: Relief | undefined): TaxPlan =>
  relief === undefined ? plan : { ...plan, relief };
