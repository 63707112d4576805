// A tax rule row and a country file, as described in service/data/tax/README.md. problems.ts checks a file.
import type { Rounding } from '../money.ts';
import type { Supply } from './supplies.ts';

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
  'TRANSACTION',
  'REMITTANCE',
  'CALL_COST',
  'MINUTES',
  'COUNT',
  'DATA_MB',
  'RECHARGE',
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
  'telecom_outgoing',
] as const;
type TaxCategory = (typeof taxCategories)[number];

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

/**
 * How reliable a row is, best first: the statute or the authority's own page was read; a professional summary or the
 * press; a source that was not cross-checked; an assumption no source states.
 */
export const confidences = ['official', 'secondary', 'unverified', 'assumed'] as const;
export type Confidence = (typeof confidences)[number];

interface TaxBracket {
  /** End of the bracket, inclusive; absent in the last one. */
  readonly upTo?: string;
  readonly rate: string;
}
interface TaxSlab {
  readonly upTo?: string;
  readonly rate?: string;
  /** A fixed tax. */
  readonly amount?: string;
}

export const summedPeriods = ['DAY', 'MONTH', 'YEAR'] as const;

/** What a law sums of one person or client. */
export interface SummedOver {
  readonly per: (typeof summedPeriods)[number];
  /** The month in which a year begins; default 1. */
  readonly firstMonth?: number;
  /** Whose amounts the decision counts; absent if a report counts what a person won. */
  readonly of?: (typeof summedOf)[number];
  /** REACHED: once the limit is reached all is taxed, that amount too, and nothing before it. */
  readonly from?: 'REACHED';
  /** With REACHED: at least so many records in the period too. */
  readonly minRecords?: number;
  /** With REACHED: who reached it once is taxed in all later periods. */
  readonly onwards?: boolean;
}

export const summedOf = ['CLIENT', 'CUSTOMER'] as const;

/**
 * Clients whom a law treats otherwise, by their profile: those that are not registered for the tax on their sales, and those
 * that charge a flat rate in its place.
 */
export const clientKinds = ['NOT_REGISTERED', 'FLAT_RATE'] as const;
export type ClientKind = (typeof clientKinds)[number];

/**
 * Customers whom a law treats otherwise: a taxable person established in another country; one established in the country,
 * who buys from a seller that is established in another.
 */
export const customers = ['BUSINESS_ABROAD', 'BUSINESS_AT_HOME'] as const;
export type Customer = (typeof customers)[number];

export interface TaxSource {
  readonly title: string;
  readonly publisher: string;
  readonly url: string | null;
  /**
   * Day, month or year the text was published, as precisely as it says; of a law that gives no other, the day of its
   * assent. Null where what was read of it says none; absent where nobody looked or it was not found.
   */
  readonly publishedOn?: string | null;
  readonly retrievedOn: string;
}

/** Who owes a tax by periodic return to the authority: a provider is the institution that keeps the account. */
export const taxDebtors = ['PSP', 'CLIENT', 'PAYER_PROVIDER', 'PAYEE_PROVIDER'] as const;
export type TaxDebtor = (typeof taxDebtors)[number];

export interface TaxRule {
  readonly ruleId: string;
  readonly taxCode: string;
  readonly category: TaxCategory;
  readonly operations: readonly TaxedOperation[];
  readonly classifications: readonly string[];
  readonly mccRanges: readonly string[];
  /** What it is limited to of what is sold; absent if not limited. */
  readonly supplies?: readonly Supply[];
  /** True if these supplies bear several rates, and this is that of most of them. */
  readonly mixed?: boolean;
  readonly productLines?: readonly string[];
  /** Only for customers of this kind; absent for all. */
  readonly customer?: Customer;
  /** Only for clients of this kind; absent for all. */
  readonly client?: ClientKind;
  /** What it leaves out of what is sold, such as supplies that are taxed where they are performed. */
  readonly exceptSupplies?: readonly Supply[];
  /** True if it leaves out what is sold on the spot by the code of the merchant (supplies.ts), such as in bars. */
  readonly exceptOnTheSpot?: boolean;
  readonly base: TaxBase;
  /** Percent as text; absent if `unitAmount`, `brackets` or `slabs` is set. */
  readonly rate?: string;
  readonly unitAmount?: string;
  readonly currency?: string;
  readonly compoundsOn: readonly string[];
  readonly bearer: 'CUSTOMER' | 'MERCHANT' | 'OPERATOR' | 'PLAYER' | 'PSP';
  readonly inTransaction: boolean;
  /** Of a payment, where it is not part of it: who owes it by a return of the period; the PSP if nothing is said. */
  readonly owedBy?: TaxDebtor;
  /** To whom a tax by periodic return is paid; absent if no source says so. */
  readonly authority?: string;
  readonly rounding: Rounding;
  /** Local calendar dates; the end date is excluded. */
  readonly validFrom: string;
  /** False if the row was in force before or since a day nobody looked up, so that validFrom only bounds the data. */
  readonly validFromKnown?: boolean;
  readonly validTo: string | null;
  /** Why a rate is 0. UNKNOWN: a tax is or may be due, but its rate was not found, so the 0 states nothing. */
  readonly reason?: string | null;
  /** The base above which the row applies, to all of it; amounts here are in `currency`, else the country's. */
  readonly threshold?: string;
  /** The base from which on the row applies. */
  readonly atLeast?: string;
  /** What is deducted from the base. */
  readonly allowance?: string;
  readonly maxTax?: string;
  /** A cap that the law states in another currency, of a tax by return: it is not converted and not applied. */
  readonly ceiling?: { readonly amount: string; readonly currency: string };
  readonly minTax?: string;
  /** In place of a rate: each part of the base at the rate of its bracket. */
  readonly brackets?: readonly TaxBracket[];
  /** In place of a rate: the whole base by the slab it falls into. */
  readonly slabs?: readonly TaxSlab[];
  /** True if each payment is compared with the amounts by itself; else all payouts of one wager together are. */
  readonly eachPayment?: boolean;
  /** Where the law compares the amounts with what one person won in a while; a record is taxed by itself until then. */
  readonly summedOver?: SummedOver;
  /** ISO 3166-2: only there, in place of the row of the whole country. */
  readonly subdivision?: string;
  /** Tax codes that are not charged where this row is. */
  readonly replaces?: readonly string[];
  readonly exemptOrigins?: readonly string[];
  readonly sunsetOn?: string;
  readonly source: string;
  readonly legalRef: string | null;
  readonly confidence: Confidence;
  readonly note?: string;
  /** What the source says, in our own words. */
  readonly says?: string;
  readonly example?: TaxExample;
}

/** A question the row answers, with its tax worked out by hand; asked again by the tests. */
export interface TaxExample {
  /** In units of the file's currency: the gross, fee, stake, payout or cost, as the row's base has it. */
  readonly amount: string;
  /** The tax of this row alone. */
  readonly tax: string;
  /** Merchant category code of the question; by default the row's own, or the first one of the supplies it is for. */
  readonly mcc?: string;
}

export interface CountryTax {
  readonly jurisdiction: string;
  readonly name: string;
  readonly timeZone: string;
  readonly currency: string;
  readonly sources: Readonly<Record<string, TaxSource>>;
  readonly rules: readonly TaxRule[];
  /** Whether most sales bear a tax of a part of the country, so that one without a subdivision is incomplete. */
  readonly subdivided?: boolean;
  /** From which turnover on a business must register for the tax on its sales. */
  readonly registration?: readonly RegistrationThreshold[];
  /** How discounts are taxed; without a fact for the day they are no consideration, so that none is due on them. */
  readonly discounts?: readonly DiscountFact[];
  /** Whose place the taxes on gaming follow; without a fact for the day the operator's. */
  readonly gaming?: readonly GamingFact[];
}

export const discountTreatments = ['TAXED', 'NOT_TAXED'] as const;

/** Whether tax is due on the price before a discount granted at the sale. */
export interface DiscountFact extends DatedFact {
  readonly treatment: (typeof discountTreatments)[number];
}

export const gamingFollows = ['PLAYER', 'OPERATOR', 'EITHER'] as const;

/** Whether gaming is taxed where the player is (at the point of consumption), where the operator is, or where either is. */
export interface GamingFact extends DatedFact {
  readonly follows: (typeof gamingFollows)[number];
  /** Whose part of the country decides where its parts tax gaming; absent: the player's, else the operator's. */
  readonly part?: (typeof gamingParts)[number];
}

/** OPERATOR: the part that licensed the operator, wherever in the country the player is. */
export const gamingParts = ['PLAYER', 'OPERATOR'] as const;

/** What a law says from a day on, with its source. */
export interface DatedFact {
  /** Local calendar dates; the end date is excluded. */
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly source: string;
  readonly legalRef: string | null;
  readonly confidence: Confidence;
  readonly says: string;
}

export interface RegistrationThreshold extends DatedFact {
  /** Turnover of twelve months above which a business must register, in `currency`; 0 if all must. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly of: 'ALL' | 'GOODS' | 'SERVICES';
}

/** The key under which rows compete: two rows with the same key, equal narrowness and overlapping dates conflict. */
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

/**
 * A tax on recharges is published, but never chosen: no record holds its base. So is a reduced rate that names neither
 * supplies nor codes nor a kind of client.
 */
export const isChoosable = (r: TaxRule): boolean =>
  r.base !== 'RECHARGE' &&
  !(
    (r.category === 'reduced' || r.category === 'super_reduced') &&
    r.mccRanges.length === 0 &&
    !r.supplies?.length &&
    r.client === undefined
  );

/** Whether a rate of 0 only means that the rate was not found. */
export const isUnknown = (r: Pick<TaxRule, 'reason'>): boolean => r.reason === 'UNKNOWN';

/** '5812-5814' as numbers, inclusive. */
export function mccRange(text: string): [number, number] {
  const [from, to] = text.split('-');
  return [Number(from), Number(to ?? from)];
}

/** Voice, messages and data are taxed separately; empty for all other rows. */
export const telecomKind = (r: Pick<TaxRule, 'category'>): string =>
  r.category.startsWith('telecom_') ? r.category : '';

/**
 * The key under which a row competes, as text: rows of a country with the same slot may not be valid on the same day. A
 * published row that is never chosen conflicts only with itself.
 */
export function ruleSlot(r: TaxRule): string {
  if (!isChoosable(r)) return `published|${r.ruleId}`;
  const list = (items: readonly string[] | undefined) => [...(items ?? [])].sort().join('+');
  return [
    r.taxCode,
    contest(r.base),
    r.inTransaction,
    telecomKind(r),
    list(r.operations),
    list(r.classifications),
    list(r.mccRanges),
    list(r.productLines),
    list(r.supplies),
    list(r.exceptSupplies),
    r.customer ?? '',
    r.client ?? '',
    r.subdivision ?? '',
  ].join('|');
}
