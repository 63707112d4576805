// The words of the service in other languages than English: of refusals, of reports, and of the codes that both name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onFirstUse } from '../core/first-use.ts';
import { words as wordsOf } from '../core/reports/legible.ts';
import type { Catalogue } from '../core/said.ts';

const folder = join(import.meta.dirname, '..', '..', 'data', 'words');
const read = (name: string) =>
  Object.entries(JSON.parse(readFileSync(join(folder, name), 'utf8')) as Readonly<Record<string, string>>);

/** A code is said as a word of a sentence, and shown on a page as a word of its own. */
function ofCode([code, word]: readonly [string, string]): [string, string][] {
  const inside = `${word.charAt(0).toLowerCase()}${word.slice(1)}`;
  return [
    [code, inside],
    [code.toLowerCase().replaceAll('_', ' '), inside],
    [wordsOf(code), word],
  ];
}

interface Template {
  /** What stands around the values. */
  readonly around: readonly string[];
  readonly french: string;
}

const place = /\{\d+\}/;
/** Letters that must stand around the values. */
const leastLetters = 2;
/** Longer texts are written by people. */
const mostCharacters = 600;
/** Sentences in sentences. */
const deepest = 3;

/** Units that French writes otherwise. */
const units: Readonly<Record<string, string>> = { B: 'o', KiB: 'Kio', MiB: 'Mio', GiB: 'Gio', TiB: 'Tio', d: 'j' };

/** Sentences with values; those that say more by themselves come first. */
const sentences = onFirstUse((): readonly Template[] => {
  const letters = (parts: readonly string[]) => parts.join('').replace(/\P{L}/gu, '').length;
  return [...frenchWords()]
    .map(([english, word]) => ({ around: english.split(place), french: word }))
    .filter(({ around }) => around.length > 1 && letters(around) >= leastLetters && !around.slice(1, -1).includes(''))
    .sort((a, b) => letters(b.around) - letters(a.around));
});

/** Whether it only joins values, such as "{0} and {1}": names of laws have such words in them too. */
const isJoint = (around: readonly string[]): boolean =>
  around[0] === '' && around.at(-1) === '' && around.join('').replace(/\P{L}/gu, '').length <= 3;

/** The values of a sentence, if the text is that sentence. Each part is looked for once, so that no text takes long. */
function valuesIn(text: string, around: readonly string[]): string[] | undefined {
  const [first = '', ...rest] = around;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const part of rest) {
    const next = text.indexOf(part, at + 1);
    if (next < 0) return undefined;
    values.push(text.slice(at, next));
    at = next + part.length;
  }
  const end = text.length - last.length;
  return end > at ? [...values, text.slice(at, end)] : undefined;
}

/**
 * The French of a sentence that was stored in English, such as an observation; values that are sentences are said too. Any
 * other text is returned as it is.
 */
export const frenchOf = (text: string): string => frenchIn(text, 0);

/** @param depth how many sentences the text stands in; in another one it must have French for all of its words */
function frenchIn(text: string, depth: number): string {
  const known = frenchWords().get(text);
  if (known !== undefined || depth > deepest || text.length > mostCharacters) return known ?? text;
  const [, number, thing] = /^([\d,.]+) (\p{L}+)$/u.exec(text) ?? [];
  if (number !== undefined && thing !== undefined)
    return `${number.replaceAll(',', '\u202f').replace('.', ',')} ${units[thing] ?? frenchIn(thing, depth + 1)}`;
  let partly: string | undefined;
  for (const { around, french: word } of sentences()) {
    const values = valuesIn(text, around);
    if (!values) continue;
    const inFrench = values.map((v) => frenchIn(v, depth + 1));
    const sentence = word.replace(/\{(\d+)\}/g, (_, i: string) => inFrench[Number(i)] ?? '');
    // A value of several words that has no French belongs to another sentence that begins alike.
    if (values.every((v, i) => !/\p{Ll} /u.test(v) || inFrench[i] !== v)) return sentence;
    if (!isJoint(around)) partly ??= sentence;
  }
  return (depth > 0 ? undefined : partly) ?? text;
}

/** French of the headings of a list's file, by the English. */
export const frenchHeadings = onFirstUse((): Catalogue => new Map(read('fr-fields.json')));

/** French by the English of a text, and by the codes in it. Texts of laws and forms yield to all others. */
export const frenchWords = onFirstUse(
  (): Catalogue =>
    new Map([
      ...read('fr-laws.json'),
      ...read('fr-codes.json').flatMap(ofCode),
      ...read('fr-names.json'),
      ...read('fr.json'),
    ]),
);
