// Countries as publishers of lists write them.
import type { CountryReader } from './list-file.ts';

interface KnownCountry {
  readonly alpha2: string;
  readonly alpha3: string | null;
  readonly name: string;
}

/** Names that differ from the reference's, in lower-case letters. */
const otherNames: Readonly<Record<string, string>> = {
  'russian federation': 'RU',
  'iran, islamic republic of': 'IR',
  'iran (islamic republic of)': 'IR',
  'islamic republic of iran': 'IR',
  'syrian arab republic': 'SY',
  "democratic people's republic of korea": 'KP',
  'korea, north': 'KP',
  'korea, democratic people’s republic of': 'KP',
  'republic of korea': 'KR',
  'korea, south': 'KR',
  'congo, democratic republic of the': 'CD',
  'democratic republic of the congo': 'CD',
  'congo (democratic republic)': 'CD',
  'congo, republic of the': 'CG',
  'venezuela, bolivarian republic of': 'VE',
  'united republic of tanzania': 'TZ',
  'viet nam': 'VN',
  burma: 'MM',
  turkey: 'TR',
  'czech republic': 'CZ',
  macedonia: 'MK',
  'cote d ivoire': 'CI',
  'ivory coast': 'CI',
  'palestinian territories': 'PS',
  'the gambia': 'GM',
  'united states of america': 'US',
  'united kingdom of great britain and northern ireland': 'GB',
  'libyan arab jamahiriya': 'LY',
  'republic of moldova': 'MD',
  "lao people's democratic republic": 'LA',
  'bosnia & herzegovina': 'BA',
  'cape verde': 'CV',
  swaziland: 'SZ',
};

export function countryReader(countries: readonly KnownCountry[]): CountryReader {
  const known = new Map(Object.entries(otherNames));
  for (const { alpha2, alpha3, name } of countries) {
    known.set(alpha2.toLowerCase(), alpha2);
    if (alpha3 !== null) known.set(alpha3.toLowerCase(), alpha2);
    known.set(name.toLowerCase(), alpha2);
  }
  return (text) => known.get(text.trim().toLowerCase());
}
