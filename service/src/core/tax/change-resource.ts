// A change of the tax rules as it is shown: its fields, and a sentence for people. Pure.
import { type TaxChange, type TaxTerm, taxChanges } from './changes.ts';
import { type ClientKind, type Customer, contest, type TaxedOperation, type TaxRule } from './rule.ts';
import { taxName } from './tax-names.ts';

export type TaxChangeResource = ReturnType<typeof taxChangeResource>;

const taxChangeResource = (c: TaxChange) => ({
  changeId: c.changeId,
  kind: c.kind,
  day: c.day,
  title: titleOf(c),
  country: c.country.jurisdiction,
  countryName: c.country.name,
  taxCode: c.rule.taxCode,
  taxName: taxName(c.rule.taxCode).name,
  category: c.rule.category,
  base: c.rule.base,
  ruleId: c.rule.ruleId,
  applied: c.applied,
  operations: [...c.rule.operations],
  supplies: [...(c.rule.supplies ?? [])],
  exceptSupplies: [...(c.rule.exceptSupplies ?? [])],
  exceptOnTheSpot: c.rule.exceptOnTheSpot === true,
  mccRanges: [...c.rule.mccRanges],
  classifications: [...c.rule.classifications],
  productLines: [...(c.rule.productLines ?? [])],
  customer: c.rule.customer ?? null,
  client: c.rule.client ?? null,
  subdivision: c.rule.subdivision ?? null,
  before: c.before,
  after: c.after,
  legalRef: c.rule.legalRef,
  source: c.source,
  confidence: c.rule.confidence,
  says: c.rule.says ?? null,
  note: c.rule.note ?? null,
  readOn: c.readOn,
});

/** One line that says what changes, without its day: "Estonia, VAT on sales: 24 % in place of 22 %". */
function titleOf(c: TaxChange): string {
  const subject = `${c.country.name}, ${taxName(c.rule.taxCode).name} on ${scopeOf(c)}`;
  const [before, after] = [sayAll(c.before), sayAll(c.after)];
  const unsure = c.day === c.rule.validFrom && c.rule.validFromKnown === false ? '; nobody looked up the day' : '';
  switch (c.kind) {
    case 'STARTS':
      return `${subject}: ${after} starts${unsure}`;
    case 'CHANGES':
      return `${subject}: ${after} in place of ${before}${unsure}`;
    case 'CONTINUES':
      return `${subject}: ${after} as before, by another rule${unsure}`;
    case 'ENDS':
      return after === '' ? `${subject}: ${before} ends` : `${subject}: ${before} ends, then ${after}`;
    case 'EXPIRES':
      return `${subject}: ${before} ends after ${c.day} unless renewed`;
  }
}

const zeros: Readonly<Record<string, string>> = {
  NO_VAT: 'no such tax',
  EXEMPT: 'exempt',
  ZERO_RATED: 'zero-rated',
  OUT_OF_SCOPE: 'out of scope',
  ABOLISHED: 'abolished',
};

/** A rate of 0 with its reason, since an exemption and a zero rate are two different things. */
function sayTerm(t: TaxTerm): string {
  if (t.reason === 'UNKNOWN') return 'an unknown rate';
  const why = t.reason === null ? undefined : zeros[t.reason];
  return why === undefined ? t.rate : `${t.rate} (${why})`;
}

export const sayAll = (terms: readonly TaxTerm[]): string => [...new Set(terms.map(sayTerm))].join(' and ');

const operationWords: Readonly<Record<TaxedOperation, string>> = {
  verifyTransaction: 'sales',
  deposit: 'deposits',
  withdrawal: 'withdrawals',
  cryptoDeposit: 'crypto deposits',
  cryptoWithdrawal: 'crypto withdrawals',
  captureWager: 'wagers',
  capturePayout: 'payouts',
  recordCDR: 'calls',
};

const telecomWords: Readonly<Record<string, string>> = {
  telecom_sms: 'text messages',
  telecom_data: 'mobile data',
  telecom_incoming: 'calls from abroad',
  telecom_outgoing: 'calls and messages to other countries',
};

const customerNames: Readonly<Record<Customer, string>> = {
  BUSINESS_ABROAD: 'businesses abroad',
  BUSINESS_AT_HOME: 'businesses at home, from sellers abroad',
};

const clientNames: Readonly<Record<ClientKind, string>> = {
  NOT_REGISTERED: 'clients that are not registered',
  FLAT_RATE: 'clients of a flat rate',
};

/** What is taxed, and what it is limited to. */
function scopeOf(c: Pick<TaxChange, 'rule' | 'applied'>): string {
  const r = c.rule;
  const limits = [
    ...(r.supplies ?? []).map((s) => s.replaceAll('_', ' ')),
    ...(r.exceptSupplies ?? []).map((s) => `not ${s.replaceAll('_', ' ')}`),
    ...r.mccRanges.map((m) => `MCC ${m}`),
    ...(r.productLines ?? []),
    ...r.classifications,
    ...(r.customer === undefined ? [] : [customerNames[r.customer]]),
    ...(r.client === undefined ? [] : [clientNames[r.client]]),
    ...(r.subdivision === undefined ? [] : [r.subdivision]),
  ];
  const taxed = c.applied ? taxedBy(r) : `some ${taxedBy(r)}`;
  return limits.length === 0 ? taxed : `${taxed} (${limits.join(', ')})`;
}

function taxedBy(r: TaxRule): string {
  const operations = r.operations.map((o) => operationWords[o]).join(', ');
  switch (contest(r.base)) {
    case 'fee':
      return `fees of ${operations}`;
    case 'STAKE':
    case 'STAKE_INCLUSIVE':
      return 'stakes';
    case 'WINNINGS':
      return 'winnings';
    case 'GGR_PERIOD':
      return 'gross gaming revenue';
    default:
      return telecomWords[r.category] ?? operations;
  }
}

/** The changes as every place shows them: the API, its feed and the command line. */
export const taxChangeResources = (...asked: Parameters<typeof taxChanges>): TaxChangeResource[] =>
  taxChanges(...asked).map(taxChangeResource);
