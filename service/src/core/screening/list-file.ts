// What the readers of published lists share: the element of an XML file they are given, what a file says of itself, and
// how dates and countries are read.
import { isDate } from '../calendar.ts';
import { dayFirst, isoDay, monthNumber, namedMonth } from '../exchange/fields.ts';
import type { ListEntry, ListedName } from './entry.ts';

export type { Element } from '../exchange/markup.ts';

import type { Element } from '../exchange/markup.ts';

/** The ISO 3166-1 alpha-2 code of a country by its name or code; undefined if it is not known. */
export type CountryReader = (name: string) => string | undefined;

/** What a file of a list says. */
export interface ListFile {
  /** Of the file that was condensed; undefined for a file that is read here. */
  readonly sha256?: string | undefined;
  readonly form: string;
  /** The list's usual name; undefined where the caller names it. */
  readonly list: string | undefined;
  /** YYYY-MM-DD; undefined if the file does not say. */
  readonly published: string | undefined;
  readonly entries: ReadonlyMap<string, ListEntry>;
}

/** How one published XML form is read: which elements are entries, and what each says. */
export interface XmlForm {
  readonly form: string;
  /** The list's usual name. */
  readonly list: string;
  /** The document's root. */
  readonly root: string;
  /** Elements that are entries. */
  readonly entries: readonly string[];
  /** The element, or attribute of the root, with the day of publication. */
  readonly published: { readonly element?: string; readonly attribute?: string };
  /** Begins to read a file, element by element in its order. */
  begin(country: CountryReader): FormReading;
}

export interface FormReading {
  /** The entry, or part of one: parts with the same ref are joined. Undefined if it names nothing. */
  read(element: Element): ListEntry | undefined;
  /** Day of publication, YYYY-MM-DD; undefined until an element that says it was read. */
  readonly published?: string | undefined;
}

/** A form each of whose entries is read by itself. */
export const alone = (
  form: Omit<XmlForm, 'begin'> & { read(element: Element, country: CountryReader): ListEntry | undefined },
): XmlForm => ({ ...form, begin: (country) => ({ read: (element) => form.read(element, country) }) });

/** The text of the first child of a name; empty if there is none. */
export const textOf = (element: Element, name: string): string =>
  element.children.find((c) => c.name === name)?.text.replace(/\s+/g, ' ') ?? '';

/** Elements at a path below. */
export function* at(element: Element, ...path: readonly string[]): Generator<Element> {
  const [name, ...rest] = path;
  if (name === undefined) yield element;
  else for (const c of element.children) if (c.name === name) yield* at(c, ...rest);
}

export const textsAt = (element: Element, ...path: readonly string[]): string[] =>
  [...at(element, ...path)].map((e) => e.text.replace(/\s+/g, ' ')).filter((t) => t !== '');

export const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** The countries that texts name, each once. A text may number several: `(1) Syria. (2) Italy`. */
export const countriesOf = (texts: readonly string[], country: CountryReader): string[] =>
  distinct(texts.flatMap((t) => t.split(/\(\d+\)/)).flatMap((t) => country(t.trim().replace(/[.,;]$/, '')) ?? []));

/** Years to either side of a date that its publisher calls approximate. */
const roughly = 2;

const startOf = (date: string): string => date.split('/')[0] as string;
const endOf = (date: string): string => date.split('/').at(-1) as string;
const yearOf = (date: string): number => Number(date.slice(0, 4));

/** A date of birth that is approximate, as the years that it may be in. */
export const roughBirth = (date: string): string =>
  `${yearOf(startOf(date)) - roughly}/${yearOf(endOf(date)) + roughly}`;

/**
 * One day, month, year or decade. Parts that a publisher does not know are zeros or letters: 00/00/1970, dd/mm/1970. Undefined for
 * text without a year, and for years of other calendars.
 */
function dateOf(text: string): string | undefined {
  const day = isoDay(text) ?? dayFirst(text.replace(/dd|mm/gi, '00')) ?? namedMonth(text);
  const named = /^([A-Za-z]{3,9})[.,]? (\d{4})$/.exec(text);
  const [year, month = ''] =
    day?.split('-') ??
    (named ? [named[2], monthNumber(named[1] as string)] : (/^(\d{4})-(\d\d)$/.exec(text)?.slice(1) ?? []));
  if (year === undefined) {
    const decade = /(?:^|\D)((?:18|19|20)\d)0s/.exec(text)?.[1];
    if (decade !== undefined) return `${decade}0/${decade}9`;
    return /(?:^|\D)((?:18|19|20)\d\d)(?:\D|$)/.exec(text)?.[1];
  }
  if (!/^(?:18|19|20)/.test(year)) return undefined;
  if (isDate(day)) return day;
  return /^(?:0[1-9]|1[0-2])$/.test(month) ? `${year}-${month}` : year;
}

const about = /\b(?:circa|approximately|approx\.?|about|c\.?(?=\s?\d))/gi;
const between = / (?:to|and|or) |(?<=\d{4}) ?[-–/] ?(?=\d{4}$)/i;

/**
 * A date of birth as it is published: 1970, 12 May 1970, May 1970, 12/05/1970, dd/mm/1970, circa 1970, 1970 to 1975, 12 May 1970 to
 * 3 June 1971, 1970s. Undefined for text without a year.
 * @param rough whether the publisher calls it approximate beside the text
 */
export function birthOf(text: string, rough = false): string | undefined {
  const plain = text
    .replace(about, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^between /i, '');
  const parts = plain.split(between).map((t) => dateOf(t.trim()));
  const dates = parts.flatMap((d) => d ?? []);
  // Of `Aug. and Sep. 1977` only the year is sure.
  const sure = parts.includes(undefined) ? 4 : undefined;
  const [from] = dates.map((d) => startOf(d).slice(0, sure)).sort();
  const to = dates
    .map((d) => endOf(d).slice(0, sure))
    .sort()
    .at(-1);
  if (from === undefined || to === undefined) return undefined;
  const date = from === to ? from : `${from}/${to}`;
  return rough || text.search(about) >= 0 ? roughBirth(date) : date;
}

/** Joins parts of one entry: names and all else of both, each once. A name that one of them does not call weak is not. */
export function joined(one: ListEntry, other: ListEntry): ListEntry {
  const names = new Map<string, ListedName>();
  for (const n of [...one.names, ...other.names]) if (!names.has(n.name) || !n.weak) names.set(n.name, n);
  const keys = new Map([...one.keys, ...other.keys].map((k) => [`${k.kind}|${k.value}`, k]));
  return {
    ...one,
    names: [...names.values()],
    births: distinct([...one.births, ...other.births]),
    countries: distinct([...one.countries, ...other.countries]),
    keys: [...keys.values()],
    programmes: distinct([...one.programmes, ...other.programmes]),
  };
}
