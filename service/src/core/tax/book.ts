// The rule book: which rules apply to a transaction. Pure and deterministic: the same question gets the same rules from
// the same dataset.
import { isInForce } from '../calendar.ts';
import { addRatio, mulRatio, type Ratio } from '../money.ts';
import { hasAmounts, percent } from './charge.ts';
import { Distinctions, isWithin } from './distinctions.ts';
import { isDueByReturn } from './duty.ts';
import { gamingFact } from './gaming-place.ts';
import { type Candidate, candidateOf, type Fitting, narrower, widthFor } from './narrowest.ts';
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
  /** What is sold, if the caller says so; else by the merchant's code. */
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
  /** Whether it is a percentage of its base alone: no amounts, nothing counted, no other tax under it. */
  readonly plain: boolean;
}

/** The rules for one question, grouped by what they apply to. */
export interface TaxPlan {
  readonly jurisdiction: string;
  /** Contained in the gross amount. */
  readonly inclusive: readonly ChosenRule[];
  /** Sum of the inclusive rates. */
  readonly inclusiveRate: Ratio;
  /** Charged on what is paid through the PSP, withheld from the remainder. */
  readonly added: readonly ChosenRule[];
  /** Withheld from what is left for the client after everything else. */
  readonly withheld: readonly ChosenRule[];
  /** Charged on top of fees. */
  readonly fees: readonly ChosenRule[];
  /** All other bases within the transaction (stake, winnings, telecom …). */
  readonly others: readonly ChosenRule[];
  /** On payments and calls, owed by a return of the period and no part of them. */
  readonly due: readonly ChosenRule[];
  /** All rules of periodic returns. */
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

/** A country in the book, with the answers that were worked out. What is needed for answers is made for the first one: most countries are never asked about. */
class KeptCountry {
  readonly country: CountryTax;
  readonly candidates = new Map<TaxedOperation, readonly Candidate[]>();
  /** By the key of the question. */
  readonly plans = new Map<number, TaxPlan | undefined>();
  #distinctions: Distinctions | undefined;
  #counted: ReadonlySet<TaxedOperation> | undefined;
  #parted: ReadonlySet<TaxedOperation> | undefined;

  constructor(country: CountryTax) {
    this.country = country;
  }

  get distinctions(): Distinctions {
    this.#distinctions ??= new Distinctions(this.country);
    return this.#distinctions;
  }

  /** Operations in which a rule counts what came before. */
  get counted(): ReadonlySet<TaxedOperation> {
    this.#counted ??= new Set(this.country.rules.filter(isCounted).flatMap((r) => r.operations));
    return this.#counted;
  }

  /** Operations for which parts of the country have rules. */
  get parted(): ReadonlySet<TaxedOperation> {
    this.#parted ??= new Set(this.country.rules.flatMap((r) => (r.subdivision === undefined ? [] : r.operations)));
    return this.#parted;
  }
}

export class RuleBook {
  /** Version of the dataset; stored with every transaction. */
  readonly version: string;
  readonly #countries: Map<string, KeptCountry>;
  readonly #rules: Map<string, { rule: TaxRule; country: CountryTax }>;
  /** Number of plans of all countries. */
  #planCount = 0;

  /** @param gone rows that are in no country's file any more, as they were last, with their jurisdictions: records name them */
  constructor(
    version: string,
    countries: readonly CountryTax[],
    gone: readonly { readonly jurisdiction: string; readonly rule: TaxRule }[] = [],
  ) {
    this.version = version;
    this.#countries = new Map(countries.map((c) => [c.jurisdiction, new KeptCountry(c)]));
    this.#rules = new Map(countries.flatMap((c) => c.rules.map((rule) => [rule.ruleId, { rule, country: c }])));
    for (const { jurisdiction, rule } of gone) {
      const country = this.country(jurisdiction);
      if (country && !this.#rules.has(rule.ruleId)) this.#rules.set(rule.ruleId, { rule, country });
    }
  }

  country(jurisdiction: string): CountryTax | undefined {
    return this.#countries.get(jurisdiction)?.country;
  }

  *countries(): IterableIterator<CountryTax> {
    for (const { country } of this.#countries.values()) yield country;
  }

  /** A row in force, or one that was in force before. */
  rule(ruleId: string): { rule: TaxRule; country: CountryTax } | undefined {
    return this.#rules.get(ruleId);
  }

  /** Whether a rule of the country counts in decisions on the operation, so that these need its sums. */
  counts(jurisdiction: string, operation: TaxedOperation): boolean {
    return this.#countries.get(jurisdiction)?.counted.has(operation) === true;
  }

  /** The rules for one question; undefined if the country has none for the sale or fee on that date. */
  plan(q: TaxQuestion): TaxPlan | undefined {
    const kept = this.#countries.get(q.jurisdiction);
    if (!kept) return undefined;
    const supply = q.operation === 'verifyTransaction' ? (q.supply ?? supplyOf(q.mcc, q.date)) : undefined;
    const key = kept.distinctions.keyOf(q, supply);
    const known = kept.plans.get(key);
    if (known || kept.plans.has(key)) return known;
    const mcc = q.supply === undefined && q.mcc !== undefined && kept.distinctions.knowsCode(q.mcc) ? q.mcc : undefined;
    const made = choose(kept, { ...q, mcc, supply });
    // Questions repeat; a full table is cleared.
    if (this.#planCount >= maxPlans) {
      for (const { plans } of this.#countries.values()) plans.clear();
      this.#planCount = 0;
    }
    kept.plans.set(key, made);
    this.#planCount++;
    return made;
  }
}

function choose(kept: KeptCountry, q: TaxQuestion): TaxPlan | undefined {
  const { country } = kept;
  const code = q.mcc === undefined ? undefined : Number(q.mcc);
  const best = new Map<string, Fitting>();
  for (const c of candidatesFor(kept, q.operation)) {
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
    inclusive,
    inclusiveRate: inclusive.reduce((sum, c) => addRatio(sum, c.rate), zero),
    added: of('NET_ADD_ON', 'DEPOSIT_VALUE', 'WITHDRAWAL_VALUE', 'TRANSACTION'),
    withheld: of('REMITTANCE'),
    fees: of('FEE'),
    others: of('STAKE', 'STAKE_INCLUSIVE', 'WINNINGS', 'PAYOUT', 'CALL_COST', 'MINUTES', 'COUNT', 'DATA_MB'),
    due: resolve(winners.filter(isDueByReturn), country),
    accruals: winners.filter((r) => !r.inTransaction),
    supply: q.supply,
    incomplete: bearsPartTax(kept, q) && !winners.some((r) => r.subdivision),
    discountsTaxed: country.discounts?.some((d) => d.treatment === 'TAXED' && isInForce(d, q.date)) === true,
  };
  if (q.operation === 'verifyTransaction' && inclusive.length + plan.added.length === 0) return undefined;
  const needsFee = q.operation !== 'captureWager' && q.operation !== 'capturePayout' && q.operation !== 'recordCDR';
  return needsFee && plan.fees.length === 0 ? undefined : plan;
}

/**
 * Whether parts of the country tax this too. Where the part that licensed an operator taxes gaming, most have their licence
 * from the whole country.
 */
function bearsPartTax({ country, parted }: KeptCountry, { operation, date }: TaxQuestion): boolean {
  if (operation === 'verifyTransaction') return country.subdivided === true;
  const gaming = operation === 'captureWager' || operation === 'capturePayout';
  return gaming && parted.has(operation) && gamingFact(country, date)?.part !== 'OPERATOR';
}

function candidatesFor({ country, candidates }: KeptCountry, operation: TaxedOperation): readonly Candidate[] {
  const known = candidates.get(operation);
  if (known) return known;
  const made = country.rules.filter((r) => r.operations.includes(operation) && isChoosable(r)).map(candidateOf);
  candidates.set(operation, made);
  return made;
}

const onTheSpot = onTheSpotMccs.map(mccRange);

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
  return rules.map((rule) => {
    const on = restsOn(rule);
    return {
      rule,
      rate: rateOf(rule, []),
      ownRate: percent(rule.rate ?? '0'),
      currency: rule.currency ?? country.currency,
      on,
      plain: on.length === 0 && !hasAmounts(rule) && !isCounted(rule),
    };
  });
}

/** The same rules for a client that owes none of the taxes contained in its sales. */
export const relieved = (plan: TaxPlan, relief: Relief | undefined): TaxPlan =>
  relief === undefined ? plan : { ...plan, relief };

/** The rules of everything that is charged in a record, of whatever base. */
export const chargedBy = ({ inclusive, added, withheld, fees, others }: TaxPlan): readonly ChosenRule[] => [
  ...inclusive,
  ...added,
  ...withheld,
  ...fees,
  ...others,
];
