// The words of the service in other languages than English: of refusals, of reports, and of the codes that both name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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

let french: Catalogue | undefined;

/** French by the English of a text, and by the codes in it. */
export const frenchWords = (): Catalogue =>
  (french ??= new Map([...read('fr-codes.json').flatMap(ofCode), ...read('fr-names.json'), ...read('fr.json')]));
