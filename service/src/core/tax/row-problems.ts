// The checks of one row or fact of a country file, each problem a sentence.
import { isDate } from '../calendar.ts';
import { parseDecimal } from '../money.ts';
import { type Said, said } from '../said.ts';
import { isDueByReturn, isDutyOnPayments } from './duty.ts';
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
  type TaxedOperation,
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
const steps = ['atLeast', 'threshold', 'allowance', 'maxTax', 'minTax', 'brackets', 'slabs'] as const;
type Step = (typeof steps)[number];
/** Bases of calls, and of periods: a call is taxed by its cost or quantity alone, a period by rate or brackets. */
const ofCalls = new Set<unknown>(['CALL_COST', 'MINUTES', 'COUNT', 'DATA_MB', 'RECHARGE']);
const payments = ['verifyTransaction', 'deposit', 'withdrawal', 'cryptoDeposit', 'cryptoWithdrawal'] as const;
/** The operations that have such a base; in any other a row would charge nothing, or on the wrong side. */
const operationsWith: Readonly<Record<TaxRule['base'], readonly TaxedOperation[]>> = {
  GROSS_INCLUSIVE: payments,
  NET_ADD_ON: ['verifyTransaction'],
  REMITTANCE: ['verifyTransaction'],
  FEE: payments,
  TRANSACTION: payments,
  DEPOSIT_VALUE: ['deposit', 'cryptoDeposit'],
  WITHDRAWAL_VALUE: ['withdrawal', 'cryptoWithdrawal'],
  STAKE: ['captureWager'],
  STAKE_INCLUSIVE: ['captureWager'],
  WINNINGS: ['capturePayout'],
  PAYOUT: ['capturePayout'],
  GGR_PERIOD: ['captureWager', 'capturePayout'],
  CALL_COST: ['recordCDR'],
  MINUTES: ['recordCDR'],
  COUNT: ['recordCDR'],
  DATA_MB: ['recordCDR'],
  RECHARGE: ['recordCDR'],
};
const ofWagers = new Set<unknown>(['STAKE', 'STAKE_INCLUSIVE', 'PAYOUT', 'WINNINGS']);
/** Steps that the calculation of a tax compares its base with; any other would stand in a row and change nothing. */
function compared(r: Pick<TaxRule, 'base' | 'inTransaction'>): readonly Step[] {
  if (ofCalls.has(r.base)) return [];
  if (r.base === 'GGR_PERIOD') return ['brackets'];
  if (!r.inTransaction && ofWagers.has(r.base)) return ['threshold', 'brackets'];
  return r.base === 'STAKE_INCLUSIVE' ? ['atLeast', 'threshold'] : steps;
}
export const isObject = (v: unknown): v is object => typeof v === 'object' && v !== null && !Array.isArray(v);
export const isText = (v: unknown): v is string => typeof v === 'string' && v.trim() !== '';
export const matches = (v: unknown, pattern: RegExp): boolean => typeof v === 'string' && pattern.test(v);
/** Any value as text. */
export const show = (v: unknown): string => (typeof v === 'string' ? v : (JSON.stringify(v) ?? String(v)));
export const isTexts = (v: unknown): v is string[] => Array.isArray(v) && v.every((x) => typeof x === 'string');

/** Problems that several fields may have. */
export const unknown = (field: string, v: unknown): Said => said`${field} '${show(v)}' is not known`;
export const noFlag = (field: string): Said => said`${field} must be true or false`;
export const noList = (field: string): Said => said`${field} must be an array`;
const noText = (field: string): Said => said`${field} must be text`;
const noAmount = (field: string): Said => said`${field} must be an amount as text`;
const noDay = (field: string, v: unknown): Said => said`${field} '${show(v)}' is not a date`;

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
export const sourceProblems = (sources: CountryTax['sources']): Said[] =>
  Object.entries(sources).flatMap(([key, s]) =>
    isObject(s) &&
    isText(s.title) &&
    isText(s.publisher) &&
    isDate(s.retrievedOn) &&
    (s.publishedOn == null || isDate(s.publishedOn) || matches(s.publishedOn, /^\d{4}(-(0[1-9]|1[0-2]))?$/)) &&
    (s.url === null || matches(s.url, /^https?:\/\//))
      ? []
      : [said`source '${key}' needs title, publisher, url and retrievedOn`],
  );

/** Problems of one row, each a sentence; empty if the row is valid. */
export function rowProblems(r: TaxRule, file: CountryTax): Said[] {
  const out: Said[] = [];
  const need = (ok: boolean, what: Said) => {
    if (!ok) out.push(what);
  };
  need(
    isText(r.ruleId) && /^[A-Z0-9][A-Z0-9_.-]{2,79}$/.test(r.ruleId),
    said`ruleId must be upper-case letters, digits, - _ .`,
  );
  need(isText(r.taxCode) && /^[A-Z][A-Z0-9_]{1,23}$/.test(r.taxCode), said`taxCode must be an upper-case code`);
  need(taxCategories.includes(r.category), unknown('category', r.category));
  need(taxBases.includes(r.base), unknown('base', r.base));
  need(isTexts(r.operations) && r.operations.length > 0, said`operations must name at least one operation`);
  if (isTexts(r.operations)) for (const o of r.operations) need(taxedOperations.includes(o), unknown('operation', o));
  if (isTexts(r.operations) && taxBases.includes(r.base))
    for (const o of r.operations)
      need(
        !taxedOperations.includes(o) || operationsWith[r.base].includes(o),
        said`the operation ${o} has no base ${r.base}`,
      );
  need(isTexts(r.classifications), noList('classifications'));
  need(
    isTexts(r.mccRanges) && r.mccRanges.every((m) => /^\d{4}(-\d{4})?$/.test(m) && mccRange(m)[0] <= mccRange(m)[1]),
    said`mccRanges must look like '5812' or '5812-5814'`,
  );
  need(
    r.supplies === undefined || (isTexts(r.supplies) && r.supplies.length > 0 && r.supplies.every(isSupply)),
    said`supplies must be an array of ${supplies.join(', ')}`,
  );
  need(
    !r.supplies || (isTexts(r.mccRanges) && r.mccRanges.length === 0),
    said`supplies and mccRanges exclude each other`,
  );
  need(
    r.base === 'GROSS_INCLUSIVE' ||
      !(isTexts(r.operations) && r.operations.includes('verifyTransaction')) ||
      !(r.supplies || (isTexts(r.mccRanges) && r.mccRanges.length > 0)),
    said`of sales only rules of base GROSS_INCLUSIVE may be for some supplies: all others are charged on the sale as a whole`,
  );
  need(
    r.exceptSupplies === undefined || (isTexts(r.exceptSupplies) && r.exceptSupplies.every(isSupply)),
    said`exceptSupplies must be an array of ${supplies.join(', ')}`,
  );
  need(
    r.eachPayment === undefined ||
      (typeof r.eachPayment === 'boolean' && (r.base === 'PAYOUT' || r.base === 'WINNINGS')),
    said`eachPayment must be true or false, of PAYOUT or WINNINGS`,
  );
  need(r.exceptOnTheSpot === undefined || typeof r.exceptOnTheSpot === 'boolean', noFlag('exceptOnTheSpot'));
  need(r.customer === undefined || customers.includes(r.customer), unknown('customer', r.customer));
  need(
    r.mixed === undefined || (typeof r.mixed === 'boolean' && !!r.supplies),
    said`mixed must be true or false, of supplies`,
  );
  need(
    r.productLines === undefined || (isTexts(r.productLines) && r.productLines.every((l) => l === l.toLowerCase())),
    said`productLines must be an array of lower-case names`,
  );
  need(isTexts(r.compoundsOn), noList('compoundsOn'));
  if (isTexts(r.compoundsOn))
    for (const code of r.compoundsOn)
      need(
        file.rules.some((other) => other.taxCode === code),
        said`compoundsOn '${code}' is no tax of this file`,
      );
  need(
    [r.rate, r.unitAmount, r.brackets, r.slabs].filter((v) => v !== undefined).length === 1,
    said`exactly one of rate, unitAmount, brackets and slabs must stand`,
  );
  for (const key of ['atLeast', 'allowance', 'maxTax', 'minTax'] as const)
    need(r[key] === undefined || isAmount(r[key]), noAmount(key));
  for (const key of steps)
    need(
      r[key] === undefined || !containing.has(r.base),
      said`${key} is not for the base ${show(r.base)}, which contains the tax`,
    );
  for (const key of steps)
    need(
      r[key] === undefined || containing.has(r.base) || compared(r).includes(key),
      said`${key} is not compared with the base ${show(r.base)}: it would change nothing`,
    );
  need(
    r.brackets === undefined || areSteps(r.brackets, (b) => isAmount(b.rate)),
    said`brackets must rise, each with a rate`,
  );
  need(
    r.slabs === undefined || areSteps(r.slabs, (b) => isAmount(b.rate) !== isAmount(b.amount)),
    said`slabs must rise, each with a rate or an amount`,
  );
  need(
    r.subdivision === undefined || matches(r.subdivision, new RegExp(`^${file.jurisdiction}-[A-Z0-9]{1,3}$`)),
    said`subdivision must be a part of ${file.jurisdiction}, ISO 3166-2`,
  );
  need(r.replaces === undefined || isTexts(r.replaces), said`replaces must be an array of tax codes`);
  need(
    (r.unitAmount !== undefined) === counted.has(r.base),
    said`unitAmount belongs to the bases MINUTES, COUNT, DATA_MB and TRANSACTION, rate to all others`,
  );
  if (r.rate !== undefined) {
    const rate = typeof r.rate === 'string' ? parseDecimal(r.rate) : undefined;
    need(
      rate !== undefined && rate.units >= 0n,
      said`rate '${show(r.rate)}' must be a percentage as text, not negative`,
    );
    if (rate?.units === 0n) need(isText(r.reason), said`a rate of 0 needs its reason`);
    if (r.reason === 'UNKNOWN') need(rate?.units === 0n, said`a rate that is unknown is written as 0`);
  }
  if (r.unitAmount !== undefined) {
    const unit = typeof r.unitAmount === 'string' ? parseDecimal(r.unitAmount) : undefined;
    need(unit !== undefined && unit.units >= 0n, said`unitAmount '${show(r.unitAmount)}' must be an amount as text`);
    need(isText(r.currency), said`unitAmount needs its currency`);
  }
  if (r.threshold !== undefined)
    need(typeof r.threshold === 'string' && !!parseDecimal(r.threshold), noAmount('threshold'));
  out.push(...sumProblems(r));
  need(
    r.client === undefined || (clientKinds.includes(r.client) && r.operations.every((o) => o === 'verifyTransaction')),
    said`client must be one of ${clientKinds.join(', ')}, of sales`,
  );
  need(bearers.has(r.bearer), unknown('bearer', r.bearer));
  need(typeof r.inTransaction === 'boolean', noFlag('inTransaction'));
  need(!(r.base === 'GGR_PERIOD' && r.inTransaction), said`a GGR_PERIOD row accrues: inTransaction must be false`);
  need(
    !(r.base === 'RECHARGE' && r.inTransaction),
    said`no call holds a recharge: inTransaction must be false for the base RECHARGE`,
  );
  need(
    r.authority === undefined || ((isDueByReturn(r) || r.base === 'RECHARGE') && isText(r.authority)),
    said`authority names to whom a tax on payments, calls or recharges by periodic return is paid`,
  );
  need(
    r.owedBy === undefined || (isDutyOnPayments(r) && taxDebtors.includes(r.owedBy)),
    said`owedBy is one of ${taxDebtors.join(', ')}, of a tax on payments by periodic return`,
  );
  need(
    r.ceiling === undefined ||
      (isDutyOnPayments(r) &&
        /^[A-Z]{3}$/.test(r.ceiling.currency) &&
        r.ceiling.currency !== (r.currency ?? file.currency) &&
        !!parseDecimal(r.ceiling.amount)),
    said`ceiling is an amount in another currency, of a tax on payments by periodic return`,
  );
  need(roundings.has(r.rounding), unknown('rounding', r.rounding));
  need(
    r.exemptOrigins === undefined || (isTexts(r.exemptOrigins) && r.exemptOrigins.every((c) => /^[A-Z]{2}$/.test(c))),
    said`exemptOrigins must be an array of country codes`,
  );
  need(r.sunsetOn === undefined || isDate(r.sunsetOn), noDay('sunsetOn', r.sunsetOn));
  need(r.validFromKnown === undefined || typeof r.validFromKnown === 'boolean', noFlag('validFromKnown'));
  need(isDate(r.validFrom), noDay('validFrom', r.validFrom));
  need(
    r.validTo === null || (isDate(r.validTo) && r.validTo > r.validFrom),
    said`validTo must be null or a later date`,
  );
  need(
    isText(r.source) && Object.hasOwn(file.sources, r.source),
    said`source '${show(r.source)}' is not among the file's sources`,
  );
  need(r.says === undefined || isText(r.says), noText('says'));
  need(r.example === undefined || isExample(r.example), said`example must have amount and tax, as amounts in text`);
  need(confidences.includes(r.confidence), unknown('confidence', r.confidence));
  if (r.reason === 'UNKNOWN')
    need(
      r.confidence === 'assumed' || r.confidence === 'unverified',
      said`a rate that is unknown is assumed or unverified`,
    );
  if (isText(r.source) && file.sources[r.source]?.url === null)
    need(
      r.confidence === 'assumed' || r.confidence === 'unverified',
      said`a source without an address can only back an assumed or unverified row`,
    );
  return out;
}

const turnovers = new Set<unknown>(['ALL', 'GOODS', 'SERVICES']);

export function thresholdProblems(t: RegistrationThreshold, file: CountryTax): Said[] {
  return [
    ...(isAmount(t.amount) ? [] : [noAmount('amount')]),
    ...(matches(t.currency, /^[A-Z]{3}$/) ? [] : [said`currency must be three capital letters`]),
    ...(turnovers.has(t.of) ? [] : [said`of must be ALL, GOODS or SERVICES`]),
    ...factProblems(t, file),
  ];
}

const treatments = new Set<unknown>(discountTreatments);

export const discountProblems = (d: DiscountFact, file: CountryTax): Said[] => [
  ...(treatments.has(d.treatment) ? [] : [said`treatment must be TAXED or NOT_TAXED`]),
  ...factProblems(d, file),
];

export const gamingProblems = (g: GamingFact, file: CountryTax): Said[] => [
  ...(gamingFollows.includes(g.follows) ? [] : [said`follows must be PLAYER, OPERATOR or EITHER`]),
  ...(g.part === undefined || gamingParts.includes(g.part) ? [] : [said`part must be PLAYER or OPERATOR`]),
  ...factProblems(g, file),
];

function factProblems(t: RegistrationThreshold | DiscountFact | GamingFact, file: CountryTax): Said[] {
  const out: Said[] = [];
  const need = (ok: boolean, what: Said) => {
    if (!ok) out.push(what);
  };
  need(isDate(t.validFrom), noDay('validFrom', t.validFrom));
  need(
    t.validTo === null || (isDate(t.validTo) && t.validTo > t.validFrom),
    said`validTo must be null or a later date`,
  );
  need(
    isText(t.source) && Object.hasOwn(file.sources, t.source),
    said`source '${show(t.source)}' is not among the file's`,
  );
  need(t.legalRef === null || isText(t.legalRef), said`legalRef must be text or null`);
  need(confidences.includes(t.confidence), unknown('confidence', t.confidence));
  need(isText(t.says), noText('says'));
  return out;
}
