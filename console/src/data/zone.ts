// Time zones: the one that a URL names, and those to choose from. A URL without one means UTC.

import { locale } from '../words/language.ts';
import { say } from '../words/words.ts';
export const utc = 'UTC';

/** The zone of this browser, as IANA names it. */
export const zoneHere = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const known = new Map<string, boolean>();

/** Whether the browser knows a zone of this name. */
function isZone(name: string): boolean {
  let answer = known.get(name);
  if (answer === undefined) {
    try {
      new Intl.DateTimeFormat('en', { timeZone: name });
      answer = /^[A-Za-z]/.test(name);
    } catch {
      answer = false;
    }
    known.set(name, answer);
  }
  return answer;
}

/** The zone that a URL names; UTC if it names none that is known. */
export const zoneOf = (filters: { readonly zone?: string | undefined }): string =>
  filters.zone && isZone(filters.zone) ? filters.zone : utc;

/** Africa/Lagos becomes Lagos. */
export const cityOf = (zone: string): string =>
  zone === utc ? utc : (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** UTC, this browser's zone, those of countries by name, and all others by city. */
export function zoneChoices(chosen: string): { group: string; items: Choice[] }[] {
  const first = [...new Set([utc, zoneHere(), chosen])];
  const countries = countryZones().filter((c) => !first.includes(c.value));
  const taken = new Set([...first, ...countries.map((c) => c.value)]);
  const others = Intl.supportedValuesOf('timeZone')
    .filter((z) => !taken.has(z))
    .map((value) => ({ value, label: value.replaceAll('_', ' ') }));
  const label = (zone: string) =>
    zone === utc ? 'UTC' : zone === zoneHere() ? say('Local ({zone})', { zone: cityOf(zone) }) : cityOf(zone);
  return [
    { group: say('Usual'), items: first.map((value) => ({ value, label: label(value) })) },
    ...(countries.length > 0 ? [{ group: say('Countries'), items: countries }] : []),
    { group: say('All zones'), items: others },
  ];
}

interface Region {
  getTimeZones?(): readonly string[] | undefined;
}

/** One zone for each country that has only one, in browsers that know which. */
function countryZones(): Choice[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const byZone = new Map<string, string[]>();
  for (const code of codes()) {
    const zones = (new Intl.Locale(`und-${code}`) as Region).getTimeZones?.();
    const name = names.of(code);
    const [zone] = zones ?? [];
    if (zones?.length === 1 && zone && name && isZone(zone)) byZone.set(zone, [...(byZone.get(zone) ?? []), name]);
  }
  return [...byZone]
    .map(([value, of]) => ({ value, label: `${of.sort().join(', ')} (${cityOf(value)})` }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const codes = () => letters.flatMap((a) => letters.map((b) => `${a}${b}`));
