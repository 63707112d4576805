// Suggestions for a field that is missing or unknown, or contains a name instead of a code: for messages only.

import { onFirstUse } from '../../core/first-use.ts';
import type { JsonObject } from '../../core/json.ts';
import { nearNames } from '../../core/near-names.ts';
import { clip } from '../../core/reference.ts';
import { said, type Value } from '../../core/said.ts';
import { loadReference } from '../../platform/data-files.ts';

/** Unknown names that are compared with a missing one. */
const mostCompared = 64;

/**
 * @param missing a required field's name
 * @param given the object it is missing in
 * @param known names of the object's possible fields
 * @returns the end of a sentence: the field sent in its place, or around it; empty if there is none
 */
export function missingHint(missing: string, given: JsonObject, known: readonly string[]): Value {
  const unknown = Object.keys(given)
    .filter((name) => !known.includes(name))
    .slice(0, mostCompared);
  const around = unknown.find((name) => {
    const inner = given[name];
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner) && Object.hasOwn(inner, missing);
  });
  if (around !== undefined)
    return said`; it is inside '${clip(around)}', a field that is not known here, and belongs beside it`;
  const near = nearNames(missing, unknown)[0];
  return near === undefined ? '' : said`; '${clip(near)}' is not known here`;
}

/** Names of fields for a header, as many as fit, and whether there are more. */
export function fieldNames(fields: readonly string[]): string {
  const fitting: string[] = [];
  let length = 0;
  for (const name of fields.map((f) => encodeURIComponent(f))) {
    length += name.length + 2;
    if (length > 1000) return [...fitting, '...'].join(', ');
    fitting.push(name);
  }
  return fitting.join(', ');
}

/** The end of a sentence naming the fields that were ignored; empty if there are none. */
export function unreadHint(ignored: readonly string[]): Value {
  if (ignored.length === 0) return '';
  const names = ignored.slice(0, 3).map((name) => `'${clip(name)}'`);
  return said`; not known here, and not read: ${names.join(', ')}`;
}

/** The end of a sentence with the code of a country given by its English name; empty for other texts. */
export function countryHint(path: string, text: string): Value {
  if (!/(?:^|\.)country(?:Code)?$/.test(path) || text.length > 60) return '';
  const code = countryCodes().get(plain(text));
  return code === undefined ? '' : said`; for ${text} use ${code}`;
}

/** Codes by the names in our own data and those in the Unicode CLDR, which often differ. */
const countryCodes = onFirstUse((): ReadonlyMap<string, string> => {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  const short = new Intl.DisplayNames(['en'], { type: 'region', style: 'short' });
  return new Map(
    loadReference().countries.flatMap(({ alpha2, name }) =>
      [name, names.of(alpha2) ?? name, short.of(alpha2) ?? name].map((n) => [plain(n), alpha2] as const),
    ),
  );
});

/** Letters only, without accents and case. */
const plain = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\bst\./g, 'saint')
    .replaceAll('&', 'and')
    .replace(/[^a-z]/g, '');
