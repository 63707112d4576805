// Countries as publishers of lists write them.
import type { CountryReader } from './list-file.ts';

interface KnownCountry {
  readonly alpha2: string;
  readonly alpha3: string | null;
  readonly name: string;
}

/** Names that differ from the reference's, as `plain` writes them. */
const otherNames: Readonly<Record<string, string>> = {
  'russian federation': 'RU',
  'islamic republic of iran': 'IR',
  'syrian arab republic': 'SY',
  "democratic people's republic of korea": 'KP',
  'korea, north': 'KP',
  'korea (north)': 'KP',
  "korea, democratic people's republic of": 'KP',
  'republic of korea': 'KR',
  'korea, south': 'KR',
  'korea (south)': 'KR',
  'korea, republic of': 'KR',
  'congo, democratic republic of the': 'CD',
  'congo, the democratic republic of the': 'CD',
  'congo (democratic republic)': 'CD',
  congo: 'CG',
  'congo-brazzaville': 'CG',
  'united republic of tanzania': 'TZ',
  'viet nam': 'VN',
  burma: 'MM',
  'myanmar (burma)': 'MM',
  turkey: 'TR',
  'czech republic': 'CZ',
  macedonia: 'MK',
  'cote d ivoire': 'CI',
  'ivory coast': 'CI',
  'palestinian territories': 'PS',
  'occupied palestinian territories': 'PS',
  'palestinian territory, occupied': 'PS',
  'state of palestine': 'PS',
  palestinian: 'PS',
  'west bank': 'PS',
  gaza: 'PS',
  crimea: 'UA',
  'united states of america': 'US',
  'united kingdom of great britain and northern ireland': 'GB',
  uk: 'GB',
  uae: 'AE',
  'republic of ireland': 'IE',
  'man, isle of': 'IM',
  'virgin islands, british': 'VG',
  'virgin islands, u.s.': 'VI',
  'libyan arab jamahiriya': 'LY',
  'republic of moldova': 'MD',
  "lao people's democratic republic": 'LA',
  'bosnia & herzegovina': 'BA',
  'brunei darussalam': 'BN',
  'holy see': 'VA',
  'vatican city': 'VA',
  'china, hong kong special administrative region': 'HK',
  macau: 'MO',
  'cape verde': 'CV',
  'east timor': 'TL',
  'saint vincent': 'VC',
  swaziland: 'SZ',
};

/** Without marks and articles, in small letters: `Bahamas, The` is `bahamas`, `St. Lucia` is `saint lucia`, `Region: Gaza` is `gaza`. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('’', "'")
    .trim()
    .toLowerCase()
    .replace(/^region: |^the |, the$/g, '')
    .replace(/\bst\.? (?=\p{L})/gu, 'saint ');

/** What says the form of a state after its name: `(Plurinational State of)`. Two states differ by it alone, and are in the table. */
const stateForm = / \([^()]* of(?: the)?\)$|, [^,]* of(?: the)?$/;

export function countryReader(countries: readonly KnownCountry[]): CountryReader {
  const known = new Map(Object.entries(otherNames));
  for (const { alpha2, alpha3, name } of countries)
    for (const text of [alpha2, alpha3 ?? alpha2, name]) known.set(plain(text), alpha2);
  return (text) => {
    const name = plain(text);
    return known.get(name) ?? (name.includes('democratic') ? undefined : known.get(name.replace(stateForm, '')));
  };
}
