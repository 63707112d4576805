// The checks of one row or fact of a country file, each problem a sentence.
import { isDate } from '../calendar.ts';
import { parseDecimal } from '../money.ts';
import { isDueByReturn } from './duty.ts';
import {
  type CountryTax,
  clientKinds,
  confidences,
  customers,
  type DiscountFact,
  discountTreatments,
  type GamingFact,
  gamingFollows,
  gamingParts,
  mccRange,
  type RegistrationThreshold,
  type TaxRule,
  taxBases,
  taxCategories,
  taxDebtors,
  taxedOperations,
} from './rule.ts';
import { sumProblems } from './sum-problems.ts';
import { supplies } from './supplies.ts';

const bearers = new Set(['CUSTOMER', 'MERCHANT', 'OPERATOR', 'PLAYER', 'PSP']);
const roundings = new Set(['HALF_UP', 'HALF_EVEN', 'DOWN']);
/** Bases that are quantities: their rules have an amount per unit, not a percentage. */
const counted = new Set<unknown>(['MINUTES', 'COUNT', 'DATA_MB', 'TRANSACTION']);
/** Bases that contain the tax: a step in it would have two answers. */
const containing = new Set<unknown>(['GROSS_INCLUSIVE']);
const steps = ['atLeast', 'allowance', 'maxTax', 'minTax', 'brackets', 'slabs'] as const;
export const isObject = (v: unknown): v is object => typeof v === 'object' && v !== null && !Array.isArray(v);
export const isText = (v: unknown): v is string => typeof v === 'string' && v.trim() !== '';
export const matches = (v: unknown, pattern: RegExp): boolean => typeof v === 'string' && pattern.test(v);
/** Any value as text. */
export const show = (v: unknown): string => (typeof v === 'string' ? v : (JSON.stringify(v) ?? String(v)));
export const isTexts = (v: unknown): v is string[] => Array.isArray(v) && v.every((x) => typeof x === 'string');

const isSupply = (v: string): boolean => (supplies as readonly string[]).includes(v);
const isAmount = (v: unknown): boolean => typeof v === 'string' && (parseDecimal(v)?.units ?? -1n) >= 0n;
const areSteps = (v: unknown, isStep: (b: Record<string, unknown>) => boolean): boolean => {
  if (!Array.isArray(v) || v.length === 0 || !v.every(isObject)) return false;
  let from = -1n;
  return (v as Record<string, unknown>[]).every((b, i) => {
    if (!isStep(b)) return false;
    if (b.upTo === undefined) return i === v.length - 1;
    const end = typeof b.upTo === 'string' ? parseDecimal(b.upTo) : undefined;
    if (!end || i === v.length - 1) return false;
    const at = (end.units * 10n ** 12n) / 10n ** BigInt(end.scale);
    const rises = at > from;
    from = at;
    return rises;
  });
};
const isExample = (v: unknown): boolean => {
  if (!isObject(v)) return false;
  const { amount, tax, mcc } = v as Record<string, unknown>;
  return isAmount(amount) && isAmount(tax) && (mcc === undefined || matches(mcc, /^\d{4}$/));
};

/** Problems of a file's sources. */
export const sourceProblems = (sources: CountryTax['sources']): string[] =>
  Object.entries(sources).flatMap(([key, s]) =>
    isObject(s) &&
    isText(s.title) &&
    isText(s.publisher) &&
    isDate(s.retrievedOn) &&
    (s.publishedOn === undefined || isDate(s.publishedOn)) &&
    (s.url === null || matches(s.url, /^https?:\/\//))
      ? []
      : [`source '${key}' needs title, publisher, url and retrievedOn`],
  );

/** Problems of one row, each a sentence; empty if the row is valid. */
export function rowProblems(r: TaxRule, file: CountryTax): string[] {
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
    r.supplies === undefined || (isTexts(r.supplies) && r.supplies.length > 0 && r.supplies.every(isSupply)),
    `supplies must be an array of ${supplies.join(', ')}`,
  );
  need(!r.supplies || (isTexts(r.mccRanges) && r.mccRanges.length === 0), 'supplies and mccRanges exclude each other');
  need(
    r.exceptSupplies === undefined || (isTexts(r.exceptSupplies) && r.exceptSupplies.every(isSupply)),
    `exceptSupplies must be an array of ${supplies.join(', ')}`,
  );
  need(
    r.exceptOnTheSpot === undefined || typeof r.exceptOnTheSpot === 'boolean',
    'exceptOnTheSpot must be true or false',
  );
  need(r.customer === undefined || customers.includes(r.customer), `customer '${show(r.customer)}' is not known`);
  need(
    r.mixed === undefined || (typeof r.mixed === 'boolean' && !!r.supplies),
    'mixed must be true or false, of supplies',
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
  need(
    [r.rate, r.unitAmount, r.brackets, r.slabs].filter((v) => v !== undefined).length === 1,
    'exactly one of rate, unitAmount, brackets and slabs must stand',
  );
  for (const key of ['atLeast', 'allowance', 'maxTax', 'minTax'] as const)
    need(r[key] === undefined || isAmount(r[key]), `${key} must be an amount as text`);
  for (const key of steps)
    need(
      r[key] === undefined || !containing.has(r.base),
      `${key} is not for the base ${show(r.base)}, which contains the tax`,
    );
  need(
    r.brackets === undefined || areSteps(r.brackets, (b) => isAmount(b.rate)),
    'brackets must rise, each with a rate',
  );
  need(
    r.slabs === undefined || areSteps(r.slabs, (b) => isAmount(b.rate) !== isAmount(b.amount)),
    'slabs must rise, each with a rate or an amount',
  );
  need(
    r.subdivision === undefined || matches(r.subdivision, new RegExp(`^${file.jurisdiction}-[A-Z0-9]{1,3}$`)),
    `subdivision must be a part of ${file.jurisdiction}, ISO 3166-2`,
  );
  need(r.replaces === undefined || isTexts(r.replaces), 'replaces must be an array of tax codes');
  need(
    (r.unitAmount !== undefined) === counted.has(r.base),
    'unitAmount belongs to the bases MINUTES, COUNT, DATA_MB and TRANSACTION, rate to all others',
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
  out.push(...sumProblems(r));
  need(
    r.client === undefined || (clientKinds.includes(r.client) && r.operations.every((o) => o === 'verifyTransaction')),
    `client must be one of ${clientKinds.join(', ')}, of sales`,
  );
  need(
    r.base !== 'REMITTANCE' || (isTexts(r.operations) && r.operations.every((o) => o === 'verifyTransaction')),
    'the base REMITTANCE is of sales: what is left for the client',
  );
  need(bearers.has(r.bearer), `bearer '${show(r.bearer)}' is not known`);
  need(typeof r.inTransaction === 'boolean', 'inTransaction must be true or false');
  need(!(r.base === 'GGR_PERIOD' && r.inTransaction), 'a GGR_PERIOD row accrues: inTransaction must be false');
  need(
    r.owedBy === undefined || (isDueByReturn(r) && taxDebtors.includes(r.owedBy)),
    `owedBy is one of ${taxDebtors.join(', ')}, of a tax on payments by periodic return`,
  );
  need(
    r.ceiling === undefined ||
      (isDueByReturn(r) &&
        /^[A-Z]{3}$/.test(r.ceiling.currency) &&
        r.ceiling.currency !== (r.currency ?? file.currency) &&
        !!parseDecimal(r.ceiling.amount)),
    'ceiling is an amount in another currency, of a tax on payments by periodic return',
  );
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
  need(r.says === undefined || isText(r.says), 'says must be text');
  need(r.example === undefined || isExample(r.example), 'example must have amount and tax, as amounts in text');
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

const turnovers = new Set<unknown>(['ALL', 'GOODS', 'SERVICES']);

/** Problems of a threshold of registration. */
export function thresholdProblems(t: RegistrationThreshold, file: CountryTax): string[] {
  return [
    ...(isAmount(t.amount) ? [] : ['amount must be an amount as text']),
    ...(matches(t.currency, /^[A-Z]{3}$/) ? [] : ['currency must be three capital letters']),
    ...(turnovers.has(t.of) ? [] : ['of must be ALL, GOODS or SERVICES']),
    ...factProblems(t, file),
  ];
}

const treatments = new Set<unknown>(discountTreatments);

export const discountProblems = (d: DiscountFact, file: CountryTax): string[] => [
  ...(treatments.has(d.treatment) ? [] : ['treatment must be TAXED or NOT_TAXED']),
  ...factProblems(d, file),
];

export const gamingProblems = (g: GamingFact, file: CountryTax): string[] => [
  ...(gamingFollows.includes(g.follows) ? [] : ['follows must be PLAYER, OPERATOR or EITHER']),
  ...(g.part === undefined || gamingParts.includes(g.part) ? [] : ['part must be PLAYER or OPERATOR']),
  ...factProblems(g, file),
];

function factProblems(t: RegistrationThreshold | DiscountFact | GamingFact, file: CountryTax): string[] {
  const out: string[] = [];
  const need = (ok: boolean, what: string) => {
    if (!ok) out.push(what);
  };
  need(isDate(t.validFrom), `validFrom '${show(t.validFrom)}' is not a date`);
  need(t.validTo === null || (isDate(t.validTo) && t.validTo > t.validFrom), 'validTo must be null or a later date');
  need(isText(t.source) && Object.hasOwn(file.sources, t.source), `source '${show(t.source)}' is not among the file's`);
  need(t.legalRef === null || isText(t.legalRef), 'legalRef must be text or null');
  need(confidences.includes(t.confidence), `confidence '${show(t.confidence)}' is not known`);
  need(isText(t.says), 'says must be text');
  return out;
}
