// Countries by name, as the browser's own language data names them.
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** For a Select: every two-letter code that names a country or territory, by name. */
export function countryChoices(): { value: string; label: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return letters
    .flatMap((a) => letters.map((b) => `${a}${b}`))
    .flatMap((code) => {
      const name = names.of(code);
      return name && !notCountries.has(code) ? [{ value: code, label: `${name} (${code})` }] : [];
    })
    .sort((a, b) => a.label.localeCompare(b.label));
}

/** Codes that name groups, private use and states that are gone. */
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
