// Tax in words: who owes it, on what, and why a sale bears none.
import type { DecisionEvidence, TaxProfile } from '@assay/client';
import { groupDigits } from './amounts.ts';
import { countryName } from './countries.ts';
import { dayInWords } from './moments.ts';

type Supply = NonNullable<TaxProfile['supply']>;
export type Scheme = TaxProfile['scheme'];

/** What is sold. */
export const supplyWords: Readonly<Record<Supply, string>> = {
  lodging: 'Lodging',
  restaurants: 'Restaurant meals',
  groceries: 'Groceries',
  books: 'Books',
  newspapers: 'Newspapers',
  medicine: 'Medicine',
  medical: 'Medical care',
  education: 'Education',
  insurance: 'Insurance',
  financial: 'Financial services',
  passenger_transport: 'Passenger transport',
  air_travel: 'Air travel',
};

export const schemeWords: Readonly<Record<Scheme, string>> = {
  STANDARD: 'Standard rates',
  FLAT_RATE: 'Flat rate',
  SMALL_BUSINESS: 'Small business',
  EXEMPT: 'Exempt sales only',
};

/** Kinds of number. */
export const numberKindWords: Readonly<Record<NonNullable<TaxProfile['taxNumberKind']>, string>> = {
  VAT: 'VAT or GST number',
  TIN: 'Taxpayer number of a business',
  PERSON: 'Taxpayer number of a person',
  COMPANY: 'Company register number',
  EORI: 'EORI number',
};

/** An unregistered client has no scheme of rates. */
export const schemeOf = (p: TaxProfile): string | null =>
  p.scheme === 'STANDARD' && !p.registered ? null : schemeWords[p.scheme];

/** Whether a tax number can be right; null without a number. */
export const numberWords = (p: TaxProfile): string | null =>
  p.taxNumber === null ? null : p.taxNumberValid === null ? 'Not checked' : p.taxNumberValid ? 'Valid' : 'Not valid';

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

const numberName = (p: TaxProfile): string => (p.taxNumberKind ? numberKindWords[p.taxNumberKind] : 'number');

function profileInWords(p: TaxProfile): string {
  const scheme = schemeOf(p);
  return [
    p.registered ? 'registered' : 'not registered',
    scheme && lower(scheme),
    p.taxNumber && `${numberName(p)} ${p.taxNumber} (${lower(numberWords(p) as string)})`,
    p.subdivision && `in ${p.subdivision}`,
    p.supply && `sells ${lower(supplyWords[p.supply])}`,
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
        name: `Tax profile in ${countryName(one.country)} from ${dayInWords(one.validFrom)}`,
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
    REGISTERED: `Yes: the client is registered in ${there}`,
    ASSUMED_REGISTERED: `Assumed: the client has no tax profile in ${there} for ${dayInWords(date)}, so it counts as registered`,
    NOT_REGISTERED: `No: the client is not registered in ${there}`,
    SMALL_BUSINESS: `No: the client is a small business in ${there} and charges no tax`,
    EXEMPT_SUPPLIER: `No: the client sells only what is exempt in ${there}`,
  }[supplier];
}

/** Why a sale bears none of a tax because of who sells, or because the rate is not known. */
export const whyNone: Readonly<Record<string, string>> = {
  NOT_REGISTERED: 'None is due: the client is not registered for this tax.',
  SMALL_BUSINESS: 'None is due: the client is a small business and charges no tax.',
  EXEMPT_SUPPLIER: 'None is due: the client sells only what is exempt.',
  UNKNOWN: 'Not worked out: the rate is not known. That is no exemption.',
};

/** The law's reasons for a rate of zero. */
export const reasonWords: Readonly<Record<string, string>> = {
  EXEMPT: 'Exempt by law',
  ZERO_RATED: 'Taxed at zero',
  REVERSE_CHARGE: 'Taxed where the customer is established (reverse charge)',
  NO_VAT: 'The country has no such tax',
  OUT_OF_SCOPE: 'Outside the scope of the tax',
  ABOLISHED: 'The tax was abolished',
};

/** A rule's terms as people read them: 7.5%, up to 300,000. */
export const termsInWords = (terms: string): string =>
  terms.replace(/\d+(\.\d+)?/g, (n) => groupDigits(n)).replace(/(\d) %/g, '$1%');
