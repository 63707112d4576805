// The texts of the console in the chosen language. The English text is the key, so English needs no catalogue and a file
// reads as what it shows.
import { type Catalogue, words } from './catalogue.ts';
import { locale } from './language.ts';

type Texts = Catalogue['texts'];

/** A text that is in the catalogue. */
export type Text = keyof Texts;
/** A text that depends on a number, by its form for many. */
export type Counted = keyof Catalogue['counted'];

type NamesIn<K extends string> = K extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
export type Values<K extends string, V, Given extends string = never> = [Exclude<NamesIn<K>, Given>] extends [never]
  ? []
  : [values: Readonly<Record<Exclude<NamesIn<K>, Given>, V>>];

type Plain = string | number | null | undefined;

const rules = new Intl.PluralRules(locale);

/** A place in a text. */
export const place = /\{(\w+)\}/;

/** Between two parts of a line: where it is too long for one, it breaks before the dot, and no line ends with one. */
export const between = ' ·\u00a0';

/** A key says after a bar which of two meanings an English word has there: 'Open|verb'. */
export const textOf = (key: string): string =>
  (words()?.texts[key] ?? key.replace(/\|\w+$/, '')).replaceAll(' · ', between);

/** A text with its values in the places that it names. */
export const filled = (text: string, values: Readonly<Record<string, Plain>>): string =>
  text.replaceAll(new RegExp(place, 'g'), (_, name: string) => String(values[name] ?? ''));

/** A text in the chosen language: `say('{done} of {total}', { done, total })`. */
export function say<const K extends Text>(text: K, ...[values]: Values<K, Plain>): string {
  return filled(textOf(text), values ?? {});
}

/** The text for so many: `plural(rows, '{n} row', '{n} rows')`, with the number in the place {n}. */
export function plural<const K extends Counted>(n: number, one: string, many: K, ...[values]: Values<K, Plain, 'n'>) {
  const forms = words()?.counted[many];
  const text = forms ? (forms[rules.select(n)] ?? forms.other ?? many) : n === 1 ? one : many;
  return filled(text, { ...values, n: n.toLocaleString(locale) });
}

/** A code of the API, such as IN_REVIEW, in another language than English; undefined if it has no word. */
export function codeWord(code: string): string | undefined {
  const codes = words()?.codes ?? {};
  return Object.hasOwn(codes, code) ? codes[code] : undefined;
}

/** A text of the service's that it always words alike, such as the name of a tax; others are returned as they are. */
export function named(text: string): string {
  const all = words()?.named ?? {};
  return (Object.hasOwn(all, text) ? all[text] : undefined) ?? text;
}
