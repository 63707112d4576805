// Reads amounts, currencies, countries and dates of a request: the validation shared by all money operations.
import { Type } from 'typebox';
import { localDate } from '../../core/calendar.ts';
import { formatDecimal, type Numeral, unitsAt } from '../../core/money.ts';
import { type Asset, type Country, workedOutIn } from '../../core/reference.ts';
import { Refusal, refuse, said } from '../../core/refusal.ts';
import type { Needs } from './needs.ts';

/** Refusals of what is taxed and split. */
export const priceRefusals = [
  'AMOUNT_PRECISION',
  'UNKNOWN_CURRENCY',
  'UNKNOWN_COUNTRY',
  'NO_TAX_RULE',
  'TAX_RATE_UNKNOWN',
  'NO_FEE_RULE',
  'SPLIT_NEGATIVE',
] as const;

export const Currency = Type.String({
  description: 'ISO 4217 alpha-3 code, any case.',
  minLength: 1,
  maxLength: 12,
  examples: ['NGN'],
});
export const CountryCode = Type.String({
  description: 'ISO 3166-1 alpha-2 or alpha-3, any case.',
  minLength: 2,
  maxLength: 3,
  examples: ['NG'],
});

export interface Place {
  readonly country: Country;
  readonly asset: Asset;
  /** Local calendar date in the country. */
  readonly date: string;
}

/**
 * Country, currency and the local date that decides the taxes.
 * @param body with the amounts that a split is worked out of, if it is
 * @param on the date that decides, where it is not that of `now`
 */
export function readPlace(
  s: Needs<'reference' | 'rates'>,
  body: { countryCode: string; currency: string; totalAmount?: Numeral; transactionFee?: Numeral | undefined },
  crypto: boolean,
  now: number,
  on?: string,
): Place | Refusal {
  const country = s.reference.country(body.countryCode);
  if (country instanceof Refusal) return country;
  const date = on ?? localDate(s.rates.book.country(country.alpha2)?.timeZone ?? country.timeZone ?? 'UTC', now);
  const asset = s.reference.asset(body.currency, date, crypto);
  if (asset instanceof Refusal) return asset;
  const amounts = [body.totalAmount?.decimal, body.transactionFee?.decimal];
  return { country, asset: workedOutIn(asset, amounts), date };
}

/**
 * An amount in units of the asset.
 * @param lowest 'positive' or 'zero' (0 allowed)
 */
export function readAmount(field: string, n: Numeral, asset: Asset, lowest: 'positive' | 'zero'): bigint | Refusal {
  const d = n.decimal;
  if (!d) return refuse('AMOUNT_PRECISION', said`the field '${field}' has more than 38 digits`);
  if (d.units < 0n || (d.units === 0n && lowest === 'positive'))
    return refuse(
      'FIELD_INVALID',
      said`the field '${field}' must be ${lowest === 'zero' ? said`zero or more` : said`greater than zero`}`,
    );
  const units = unitsAt(d, asset.decimals);
  if (units === undefined)
    return refuse(
      'AMOUNT_PRECISION',
      said`the field '${field}' has more decimals than ${asset.code} allows: ${formatDecimal(d)} (${asset.code} has ${asset.decimals})`,
    );
  return units;
}
