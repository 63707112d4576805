// The country of a telephone number, by the numbering plans of libphonenumber-js. Called for millions of numbers, so
// results are cached for all numbers with the same first digits.
import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** Countries by calling code; most codes have one. */
const byCode = new Map<string, string[]>();
for (const country of getCountries()) {
  const code = getCountryCallingCode(country);
  byCode.set(code, [...(byCode.get(code) ?? []), country]);
}

/** Number of digits that distinguish the countries of a shared calling code. */
const telling = 8;
const mostKept = 100_000;
const kept = new Map<string, string | null>();

/**
 * Calling codes without a country (satellites, international networks) give null.
 * @param number E.164 with +, or its mask, whose hidden digits are not read
 * @returns ISO 3166-1 alpha-2
 */
export function countryOfNumber(number: string): string | null {
  for (let length = 1; length <= 3; length++) {
    const countries = byCode.get(number.slice(1, 1 + length));
    if (countries) return countries.length === 1 ? (countries[0] as string) : among(number);
  }
  return null;
}

/** Chooses among countries with one calling code by the first digits, so that the result depends only on them. */
function among(number: string): string | null {
  const digits = number.slice(1, 1 + telling).replaceAll('*', '');
  const key = `${digits}|${number.length}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found = parsePhoneNumberFromString(`+${digits.padEnd(number.length - 1, '2')}`);
  // A number that fits none of the plans belongs to the main country of the code.
  const country = found?.country ?? found?.getPossibleCountries()[0] ?? null;
  if (kept.size >= mostKept) kept.clear();
  kept.set(key, country);
  return country;
}
