// Reads a published file that was condensed to its entries, one a line: the form of the file, its day and its hash come
// first. The caller vouches for them, as for a table of their own.
import { FileFault } from '../../core/exchange/quotes.ts';
import { said } from '../../core/said.ts';
import { entryKinds, keyKinds, type ListEntry, type ListedKey, type ListedName } from '../../core/screening/entry.ts';
import type { ListFile } from '../../core/screening/list-file.ts';

export const condensedBegins = '{"condensed":1,';

export interface CondensedHead {
  readonly condensed: 1;
  readonly form: string;
  readonly list: string;
  readonly published: string | null;
  /** Of the file, hexadecimal. */
  readonly sha256: string;
}

type Read = Readonly<Record<string, unknown>>;

const isRecord = (v: unknown): v is Read => typeof v === 'object' && v !== null && !Array.isArray(v);
const isText = (v: unknown, form: RegExp): v is string => typeof v === 'string' && form.test(v);
const listOf =
  <T>(most: number, is: (v: unknown) => v is T) =>
  (v: unknown): v is T[] =>
    Array.isArray(v) && v.length <= most && v.every(is);
const texts = (most: number, form: RegExp) => listOf(most, (v): v is string => isText(v, form));
const oneOf = <T extends string>(v: unknown, of: readonly T[]): v is T => of.some((o) => o === v);

const isName = (v: unknown): v is ListedName =>
  isRecord(v) && isText(v.name, /^[\s\S]{1,1000}$/) && (v.weak === undefined || v.weak === true);
const isKey = (v: unknown): v is ListedKey =>
  isRecord(v) && oneOf(v.kind, keyKinds) && isText(v.value, /^[\s\S]{1,300}$/);
const areNames = listOf(400, isName);
const areKeys = listOf(2_000, isKey);
const areBirths = texts(50, /^\d{4}(?:-\d{2}){0,2}(?:\/\d{4}(?:-\d{2}){0,2})?$/);
const areCountries = texts(300, /^[A-Z]{2}$/);
const areProgrammes = texts(100, /^[\s\S]{1,200}$/);

function entryIn(v: unknown): ListEntry | undefined {
  if (!isRecord(v)) return undefined;
  const { ref, kind, names, births, countries, keys, programmes } = v;
  return isText(ref, /^[\s\S]{1,100}$/) &&
    oneOf(kind, entryKinds) &&
    areNames(names) &&
    areBirths(births) &&
    areCountries(countries) &&
    areKeys(keys) &&
    areProgrammes(programmes)
    ? { ref, kind, names, births, countries, keys, programmes }
    : undefined;
}

function headIn(v: unknown): Omit<ListFile, 'entries'> | undefined {
  if (!isRecord(v)) return undefined;
  const { form, list, published, sha256 } = v;
  const isDay = published === null || isText(published, /^\d{4}-\d{2}-\d{2}$/);
  if (!isText(form, /^[A-Z_]{1,40}$/) || !isText(list, /^[A-Z][A-Z0-9_]{1,39}$/)) return undefined;
  if (!isText(sha256, /^[0-9a-f]{64}$/) || !isDay) return undefined;
  return { form, list, published: published ?? undefined, sha256 };
}

/** @throws FileFault with the place of a line that is no entry */
export function readCondensed(given: string): ListFile {
  const entries = new Map<string, ListEntry>();
  let head: Omit<ListFile, 'entries'> | undefined;
  for (let at = 0; at < given.length; ) {
    const end = given.indexOf('\n', at);
    const line = parsed(given.slice(at, end < 0 ? undefined : end), at);
    if (head === undefined) {
      head = headIn(line);
      if (head === undefined) throw new FileFault(said`the first line does not say what file was condensed`, at);
    } else {
      const entry = entryIn(line);
      if (entry === undefined) throw new FileFault(said`a line is no entry of a list`, at);
      if (entries.has(entry.ref)) throw new FileFault(said`the number ${entry.ref} is there twice`, at);
      entries.set(entry.ref, entry);
    }
    at = end < 0 ? given.length : end + 1;
  }
  if (head === undefined) throw new FileFault(said`it has no first line`);
  return { ...head, entries };
}

function parsed(line: string, at: number): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new FileFault(said`a line is no JSON`, at);
  }
}
