// Tax in words: who owes it, on what, and why a sale bears none.

import type { DecisionEvidence, TaxProfile } from '@assay/client';
import { say } from '../words/words.ts';
import { groupDigits } from './amounts.ts';
import { countryName } from './countries.ts';
import { dayInWords } from './moments.ts';

type Supply = NonNullable<TaxProfile['supply']>;
export type Scheme = TaxProfile['scheme'];

/** What is sold. */
export const supplyWords: Readonly<Record<Supply, string>> = {
  lodging: say('Lodging'),
  restaurants: say('Restaurant meals'),
  groceries: say('Groceries'),
  books: say('Books'),
  newspapers: say('Newspapers'),
  medicine: say('Medicine'),
  medical: say('Medical care'),
  education: say('Education'),
  insurance: say('Insurance'),
  financial: say('Financial services'),
  passenger_transport: say('Passenger transport'),
  air_travel: say('Air travel'),
};

/** What a line of a basket may be. */
export const goodsWords = { ...supplyWords, other: say('None with a rate of its own') };

/** Customers for whom a rule may be alone. */
export const buyerWords = {
  BUSINESS_ABROAD: say('Businesses in another country'),
  BUSINESS_AT_HOME: say('Businesses of the country, from sellers abroad'),
};

/** Clients for whom a rule may be alone. */
export const sellerWords = {
  NOT_REGISTERED: say('Clients that are not registered for the tax'),
  FLAT_RATE: say('Clients of a flat rate'),
};

/** Who owes a tax on payments by a return of the period. */
export const debtorWords = {
  PSP: say('the PSP'),
  CLIENT: say('the client'),
  PAYER_PROVIDER: say("the payer's bank or wallet"),
  PAYEE_PROVIDER: say("the payee's bank or wallet"),
};
export type Debtor = keyof typeof debtorWords;

export const schemeWords: Readonly<Record<Scheme, string>> = {
  STANDARD: say('Standard rates'),
  FLAT_RATE: say('Flat rate'),
  SMALL_BUSINESS: say('Small business'),
  EXEMPT: say('Exempt sales only'),
};

/** Kinds of number. */
export const numberKindWords: Readonly<Record<NonNullable<TaxProfile['taxNumberKind']>, string>> = {
  VAT: say('VAT or GST number'),
  TIN: say('Taxpayer number of a business'),
  PERSON: say('Taxpayer number of a person'),
  COMPANY: say('Company register number'),
  EORI: say('EORI number'),
};

/** An unregistered client has no scheme of rates. */
export const schemeOf = (p: TaxProfile): string | null =>
  p.scheme === 'STANDARD' && !p.registered ? null : schemeWords[p.scheme];

/** Whether a tax number can be right; null without a number. */
export const numberWords = (p: TaxProfile): string | null =>
  p.taxNumber === null
    ? null
    : p.taxNumberValid === null
      ? say('Not checked')
      : p.taxNumberValid
        ? say('Valid')
        : say('Not valid');

export const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

const numberName = (p: TaxProfile): string => (p.taxNumberKind ? numberKindWords[p.taxNumberKind] : say('number'));

function profileInWords(p: TaxProfile): string {
  const scheme = schemeOf(p);
  return [
    p.registered ? say('registered') : say('not registered'),
    scheme && lower(scheme),
    p.taxNumber &&
      say('{name} {taxNumber} ({validity})', {
        name: numberName(p),
        taxNumber: p.taxNumber,
        validity: lower(numberWords(p) as string),
      }),
    p.subdivision && say('in {subdivision}', { subdivision: p.subdivision }),
    p.supply && say('sells {supplyWords}', { supplyWords: lower(supplyWords[p.supply]) }),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Each profile that differs between two lists, before and after; null if it was not there. */
export function profileChanges(before: readonly TaxProfile[], after: readonly TaxProfile[]) {
  const keyOf = (p: TaxProfile) => `${p.country} ${p.validFrom}`;
  const keys = [...new Set([...before, ...after].map(keyOf))].sort();
  return keys.flatMap((key) => {
    const [was, is] = [before, after].map((list) => list.find((p) => keyOf(p) === key));
    const one = was ?? is;
    if (!one || JSON.stringify(was) === JSON.stringify(is)) return [];
    return [
      {
        key,
        name: say('Tax profile in {country} from {validFrom}', {
          country: countryName(one.country),
          validFrom: dayInWords(one.validFrom),
        }),
        before: was ? profileInWords(was) : null,
        after: is ? profileInWords(is) : null,
      },
    ];
  });
}

/** Whether the client owed the tax on a sale in a country on a day. */
export function supplierWords(
  supplier: NonNullable<DecisionEvidence['supplier']>,
  country: string,
  date: string,
): string {
  const there = countryName(country);
  return {
    REGISTERED: say('Yes: the client is registered in {there}', { there }),
    ASSUMED_REGISTERED: say(
      'Assumed: the client has no tax profile in {there} for {date}, so it counts as registered',
      { there, date: dayInWords(date) },
    ),
    NOT_REGISTERED: say('No: the client is not registered in {there}', { there }),
    SMALL_BUSINESS: say('No: the client is a small business in {there} and charges no tax', { there }),
    EXEMPT_SUPPLIER: say('No: the client sells only what is exempt in {there}', { there }),
  }[supplier];
}

/** Why a sale bears none of a tax because of who sells, or because the rate is not known. */
export const whyNone: Readonly<Record<string, string>> = {
  NOT_REGISTERED: say('None is due: the client is not registered for this tax.'),
  SMALL_BUSINESS: say('None is due: the client is a small business and charges no tax.'),
  EXEMPT_SUPPLIER: say('None is due: the client sells only what is exempt.'),
  STAKE_RETURNED: say('None is due: the wager is void, and its stake was given back.'),
  UNKNOWN: say('Not worked out: the rate is not known. That is no exemption.'),
};

/** The law's reasons for a rate of zero. */
export const reasonWords: Readonly<Record<string, string>> = {
  EXEMPT: say('Exempt by law'),
  ZERO_RATED: say('Taxed at zero'),
  REVERSE_CHARGE: say('Taxed where the customer is established (reverse charge)'),
  NO_VAT: say('The country has no such tax'),
  OUT_OF_SCOPE: say('Outside the scope of the tax'),
  ABOLISHED: say('The tax was abolished'),
};

/** A rule's terms as people read them: 7.5%, up to 300,000. */
export const termsInWords = (terms: string): string =>
  terms.replace(/\d+(\.\d+)?/g, (n) => groupDigits(n)).replace(/ %/g, say('{share}%', { share: '' }));

/** What a tax is charged on. */
export const baseWords: Readonly<Record<string, string>> = {
  GROSS_INCLUSIVE: say('The amount, which contains the tax'),
  NET_ADD_ON: say('The amount, from which it is withheld'),
  FEE: say('The fees, on top'),
  DEPOSIT_VALUE: say('The whole deposit'),
  WITHDRAWAL_VALUE: say('The whole withdrawal'),
  STAKE: say('The stake'),
  STAKE_INCLUSIVE: say('The stake, which contains the tax'),
  WINNINGS: say('Winnings: the payout less its wager'),
  PAYOUT: say('The whole payout'),
  GGR_PERIOD: say('Gross gaming revenue of a period'),
  TRANSACTION: say('Each transaction'),
  REMITTANCE: say('What is left for the client, from which it is withheld'),
  CALL_COST: say('The cost of a call'),
  MINUTES: say('Minutes of a call'),
  COUNT: say('Each call or message'),
  DATA_MB: say('Megabytes'),
  RECHARGE: say('Recharges, which no call holds'),
};
