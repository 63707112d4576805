// Country names from the browser's own language data.
import { locale } from '../words/language.ts';

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Options for a Select: every two-letter code of a country or territory, by name. */
export function countryChoices(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  return letters
    .flatMap((a) => letters.map((b) => `${a}${b}`))
    .flatMap((code) => {
      const name = names.of(code);
      return name && !notCountries.has(code) ? [{ value: code, label: `${name} (${code})` }] : [];
    })
    .sort((a, b) => a.label.localeCompare(b.label));
}

let regions: Intl.DisplayNames | undefined;

/** 'NG' becomes 'Nigeria'. */
export function countryName(code: string): string {
  try {
    regions ??= new Intl.DisplayNames(locale, { type: 'region' });
    return regions.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Codes of groups, private use and former states. */
const notCountries = new Set([
  'EU',
  'EZ',
  'UN',
  'ZZ',
  'QO',
  'XA',
  'XB',
  'AC',
  'CP',
  'DG',
  'EA',
  'IC',
  'TA',
  'UK',
  'CQ',
  'AN',
  'SU',
  'YU',
  'CS',
  'DD',
  'TP',
  'ZR',
  'BU',
  'FX',
]);
