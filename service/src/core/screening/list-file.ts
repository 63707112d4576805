// What the readers of published lists share: the element of an XML file they are given, what a file says of itself, and
// how dates and countries are read.
import { dayFirst, isoDay, monthNumber, namedMonth } from '../exchange/fields.ts';
import type { ListEntry } from './entry.ts';

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

const spread = (from: string, to: string): string => (from === to ? from : `${from}/${to}`);

/**
 * A date of birth as it is published: 1970, 12 May 1970, May 1970, 12/05/1970, dd/mm/1970, circa 1970, 1970 to 1975.
 * Undefined for text without a year.
 */
export function birthOf(text: string): string | undefined {
  const plain = text.replace(/circa|approximately|about|c\./gi, '').trim();
  const day = isoDay(plain) ?? dayFirst(plain) ?? namedMonth(plain);
  if (day !== undefined) return day;
  const range = /^(\d{4})\s*(?:to|-|–|\/)\s*(\d{4})$/.exec(plain);
  if (range) return spread(range[1] as string, range[2] as string);
  const month = /^([A-Za-z]{3,9}) (\d{4})$/.exec(plain);
  const number = month && monthNumber(month[1] as string);
  if (month && number) return `${month[2]}-${number}`;
  const parts = /^(?:dd|00|\d\d)\/(mm|00|\d\d)\/(\d{4})$/i.exec(plain);
  if (parts) return /^\d\d$/.test(parts[1] as string) && parts[1] !== '00' ? `${parts[2]}-${parts[1]}` : parts[2];
  return /(?:^|\D)((?:18|19|20)\d\d)(?:\D|$)/.exec(plain)?.[1];
}

/** Joins parts of one entry: names and all else of both, each once. */
export function joined(one: ListEntry, other: ListEntry): ListEntry {
  const names = new Map([...one.names, ...other.names].map((n) => [n.name, n]));
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
