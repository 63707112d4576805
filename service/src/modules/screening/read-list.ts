// Reads a published file of a list, whose form is recognised by its content, into entries with one per ref.
import { FileFault } from '../../core/exchange/quotes.ts';
import { said } from '../../core/said.ts';
import type { ListEntry } from '../../core/screening/entry.ts';
import { eu } from '../../core/screening/eu.ts';
import {
  birthOf,
  type CountryReader,
  type FormReading,
  joined,
  type ListFile,
  type XmlForm,
} from '../../core/screening/list-file.ts';
import { ofac } from '../../core/screening/ofac.ts';
import { ofacAdvanced } from '../../core/screening/ofac-advanced.ts';
import { readTable } from '../../core/screening/tables.ts';
import { uk, ukConList } from '../../core/screening/uk.ts';
import { un } from '../../core/screening/un.ts';
import { readElements } from '../../platform/xml-elements.ts';
import { condensedBegins, readCondensed } from './condensed-list.ts';

const forms: readonly XmlForm[] = [ofac, ofacAdvanced, un, eu, uk, ukConList];

const mostNames = 400;
const mostNameLength = 1000;
const mostRefLength = 100;

function collect(entries: Map<string, ListEntry>, entry: ListEntry): void {
  if (entry.ref.length > mostRefLength) throw new FileFault(said`the number ${entry.ref.slice(0, 40)}… is too long`);
  const known = entries.get(entry.ref);
  const whole = known ? joined(known, entry) : entry;
  const names = whole.names
    .map((n) => (n.name.length > mostNameLength ? { ...n, name: n.name.slice(0, mostNameLength) } : n))
    .slice(0, mostNames);
  entries.set(entry.ref, { ...whole, names });
}

/** OFAC writes the month first. */
function dayOf(form: string, text: string): string | undefined {
  const first = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text);
  if (first && form === ofac.form) return `${first[3]}-${first[1]}-${first[2]}`;
  const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? birthOf(text);
  return day?.length === 10 ? day : undefined;
}

/** @throws FileFault */
export async function readListFile(text: string, country: CountryReader): Promise<ListFile> {
  if (text.startsWith(condensedBegins)) return readCondensed(text);
  if (/^\uFEFF?\s*</.test(text)) return readListXml(text.replace(/^\uFEFF/, ''), country);
  const entries = new Map<string, ListEntry>();
  const table = readTable(text, country);
  for (const entry of table.entries) collect(entries, entry);
  return { form: table.form, list: table.list, published: undefined, entries };
}

/** @param text the document, or its parts in their order @throws FileFault */
export async function readListXml(text: string | AsyncIterable<string>, country: CountryReader): Promise<ListFile> {
  const entries = new Map<string, ListEntry>();
  let form: XmlForm | undefined;
  let reading: FormReading | undefined;
  const { root, texts } = await readElements(
    text,
    (found) => {
      form = forms.find((f) => f.root === found.name);
      reading = form?.begin(country);
      return form?.entries ?? [];
    },
    forms.flatMap((f) => f.published.element ?? []),
    (element) => {
      const entry = reading?.read(element);
      if (entry) collect(entries, entry);
    },
  );
  if (form === undefined)
    throw new FileFault(
      said`a document <${root.name}> is not known: ${forms.map((f) => `<${f.root}>`).join(', ')} are`,
    );
  const { element = '', attribute = '' } = form.published;
  const written = reading?.published ?? texts.get(element) ?? root.attributes[attribute] ?? '';
  return { form: form.form, list: form.list, published: dayOf(form.form, written), entries };
}
