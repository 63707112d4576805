// What a caller may say of a sale beyond the specification, for the tax: what is sold, and to whom.
import { isMemberState } from '../../core/cesop/member-states.ts';
import { type SupplyKind, supplyKinds } from '../../core/filing/goods-or-services.ts';
import type { Numeral } from '../../core/money.ts';
import { Refusal, refuse, said, stored } from '../../core/refusal.ts';
import type { Customer } from '../../core/tax/rule.ts';
import { type Supply, supplies } from '../../core/tax/supplies.ts';
import type { Observation } from '../../core/transaction.ts';
import { observeTaxNumber } from '../../platform/identifiers.ts';
import type { Place } from './amounts.ts';
import { AmountOrZero, type Needs, Type } from './operation.ts';
import { subdivisionCode } from './text-forms.ts';

const subdivision = (description: string) => Type.String({ ...subdivisionCode, maxLength: 6, description });

export const TaxDetails = Type.Object(
  {
    category: Type.Optional(
      Type.Enum(supplies, {
        description: 'Kind of supply, if the merchant category code does not say it.',
      }),
    ),
    kind: Type.Optional(
      Type.Enum(supplyKinds, { description: 'Which of the two it is, for the return of the one-stop shop.' }),
    ),
    suppliedFrom: Type.Optional(
      Type.String({
        description: 'Member State it is supplied from, for that return.',
        minLength: 2,
        maxLength: 2,
      }),
    ),
    customerCountry: Type.Optional(
      Type.String({ description: 'Country of the customer, ISO 3166-1.', minLength: 2, maxLength: 3 }),
    ),
    customerSubdivision: Type.Optional(
      subdivision('Province or state the customer is in, if it has taxes of its own.'),
    ),
    customerTaxNumber: Type.Optional(
      Type.String({ description: "The customer's tax number, if it is a business.", minLength: 1, maxLength: 60 }),
    ),
    singlePurposeVouchers: Type.Optional(
      AmountOrZero(
        'The part of `paymentMethods.vouchers` whose supply was taxed when they were sold: it is not taxed again. Other vouchers are taxed as money is.',
      ),
    ),
  },
  {
    $id: 'TaxDetails',
    description:
      'Facts about the sale. A business abroad, known by its tax number, is charged as the law of the country says; so is one of the country that buys from a client of another. All others are consumers at home.',
    examples: [{ category: 'books', customerCountry: 'FR', customerTaxNumber: 'FR40303265045' }],
  },
);

export const PlayerTaxDetails = Type.Object(
  {
    customerCountry: Type.Optional(
      Type.String({ description: 'Country the player is in, ISO 3166-1.', minLength: 2, maxLength: 3 }),
    ),
    customerSubdivision: Type.Optional(
      subdivision('State or province the player is in, if it has gaming taxes of its own. It names its country too.'),
    ),
  },
  {
    $id: 'PlayerTaxDetails',
    description:
      'Facts about the player that decide the taxes: without them a wager is one of the country of the operator.',
    examples: [{ customerCountry: 'US', customerSubdivision: 'US-NJ' }],
  },
);

export const PayoutTaxDetails = Type.Object(
  {
    stakeReturned: Type.Optional(
      Type.Boolean({
        description:
          'The wager or a part of it is void, and this gives the stake back: no win is taxed. At most what is left of the stake.',
      }),
    ),
  },
  {
    $id: 'PayoutTaxDetails',
    description: 'Facts about the payout: without them it is one of a win.',
    examples: [{ stakeReturned: true }],
  },
);

export interface PlayerPlace {
  /** Alpha-2. */
  readonly country: string;
  /** ISO 3166-2, if known. */
  readonly subdivision: string | undefined;
}

/** Undefined if the request does not say where the player is. */
export function readPlayer(
  s: Needs<'reference'>,
  told: { readonly customerCountry?: string; readonly customerSubdivision?: string } | undefined,
): PlayerPlace | undefined | Refusal {
  const subdivision = told?.customerSubdivision;
  const named = told?.customerCountry ?? subdivision?.slice(0, 2);
  if (named === undefined) return undefined;
  const field = told?.customerCountry === undefined ? 'customerSubdivision' : 'customerCountry';
  const country = s.reference.country(named, `taxDetails.${field}`);
  if (country instanceof Refusal) return country;
  if (subdivision !== undefined && !subdivision.startsWith(`${country.alpha2}-`))
    return refuse(
      'FIELD_INVALID',
      said`the field 'taxDetails.customerSubdivision' must be a part of ${country.alpha2}, the country in 'taxDetails.customerCountry'`,
    );
  return { country: country.alpha2, subdivision };
}

export interface TaxDetails {
  readonly category?: Supply;
  readonly kind?: SupplyKind;
  readonly suppliedFrom?: string;
  readonly customerCountry?: string;
  readonly customerSubdivision?: string;
  readonly customerTaxNumber?: string;
  readonly singlePurposeVouchers?: Numeral;
}

interface Told {
  readonly customer: Customer | undefined;
  readonly subdivision: string | undefined;
  readonly observations: readonly Observation[];
}

/** The part of a country (alpha-2) that the customer is in, if the request says so. */
export const partIn = (country: string, told: TaxDetails | undefined): string | undefined =>
  told?.customerSubdivision?.startsWith(`${country}-`) ? told.customerSubdivision : undefined;

/** Who the customer is to the law of the sale's country. A number that cannot be one makes no business. */
export function readTaxDetails(s: Needs<'reference'>, told: TaxDetails | undefined, place: Place): Told | Refusal {
  const subdivision = partIn(place.country.alpha2, told);
  const none: Told = { customer: undefined, subdivision, observations: [] };
  if (told?.suppliedFrom !== undefined && !isMemberState(told.suppliedFrom))
    return refuse(
      'FIELD_INVALID',
      said`the field 'taxDetails.suppliedFrom' must be a Member State of the European Union, as ISO 3166-1 has it, such as DE`,
    );
  if (told?.customerCountry === undefined) return none;
  const country = s.reference.country(told.customerCountry);
  if (country instanceof Error) return country;
  const isHome = country.alpha2 === place.country.alpha2;
  const number = told.customerTaxNumber;
  const observations =
    number === undefined ? [] : observeTaxNumber(number, country.alpha2, 'taxDetails.customerTaxNumber');
  if (isHome)
    return number === undefined
      ? none
      : { ...none, observations, ...(observations.length === 0 ? { customer: 'BUSINESS_AT_HOME' } : {}) };
  return number === undefined || observations.length > 0
    ? {
        ...none,
        observations: [
          ...observations,
          {
            code: 'CUSTOMER_ABROAD',
            field: 'taxDetails.customerCountry',
            message: stored`the customer is in ${country.alpha2}, and without a valid tax number was charged as a consumer in ${place.country.alpha2}`,
          },
        ],
      }
    : { ...none, customer: 'BUSINESS_ABROAD' };
}
