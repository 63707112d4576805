// What a caller probably meant by a field that is missing, unknown or has a name for a code: for messages only.
import type { JsonObject } from '../../core/json.ts';
import { nearNames } from '../../core/near-names.ts';
import { clip } from '../../core/reference.ts';
import { loadReference } from '../../platform/data-files.ts';

/**
 * @param missing a required field's name
 * @param given the object it is missing in
 * @param known names of the fields that the object may have
 * @returns the end of a sentence: which field was sent in its place, or around it; empty where none was
 */
export function missingHint(missing: string, given: JsonObject, known: readonly string[]): string {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  const around = unknown.find((name) => {
    const inner = given[name];
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner) && Object.hasOwn(inner, missing);
  });
  if (around !== undefined)
    return `; it is inside '${clip(around)}', a field that is not known here, and belongs beside it`;
  const near = nearNames(missing, unknown)[0];
  return near === undefined ? '' : `; '${clip(near)}' is not known here`;
}

/** The end of a sentence that names fields which were not read; empty where all were. */
export function unreadHint(ignored: readonly string[]): string {
  if (ignored.length === 0) return '';
  const names = ignored.slice(0, 3).map((name) => `'${clip(name)}'`);
  return `; not known here, and not read: ${names.join(', ')}`;
}

/** The end of a sentence that gives the code of a country written by its English name; empty for other texts. */
export function countryHint(path: string, text: string): string {
  if (!/(?:^|\.)country(?:Code)?$/.test(path) || text.length > 60) return '';
  codes ??= countryCodes();
  const code = codes.get(plain(text));
  return code === undefined ? '' : `; for ${text} use ${code}`;
}

let codes: ReadonlyMap<string, string> | undefined;

/** Codes by the names of our own data and by those of the Unicode CLDR, which often differ. */
function countryCodes(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  const short = new Intl.DisplayNames(['en'], { type: 'region', style: 'short' });
  return new Map(
    loadReference().countries.flatMap(({ alpha2, name }) =>
      [name, names.of(alpha2) ?? name, short.of(alpha2) ?? name].map((n) => [plain(n), alpha2] as const),
    ),
  );
}

/** Letters alone, without accents and case. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\bst\./g, 'saint')
    .replaceAll('&', 'and')
    .replace(/[^a-z]/g, '');
