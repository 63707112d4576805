// The words of a name as they are compared: in Latin letters, without titles, legal forms and articles, with the compound
// names of Arabic joined, each with its weight and sound.
import { lettersOf } from './likeness.ts';
import { furtherReadings } from './readings.ts';
import { asSeen, type HanReader, hepburn, inLatin } from './script.ts';
import { soundOf } from './sound.ts';

export interface Word {
  readonly text: string;
  readonly sound: string;
  /** 1; less for an initial, and for words that many companies share. */
  readonly weight: number;
  /** The letters that it has, one bit for each; what is no Latin letter shares one. */
  readonly letters: number;
  readonly hasDigit: boolean;
}

/** How much of a name's words is compared. */
const mostWords = 16;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const titles = words('mr mrs ms dr prof sir haji hajji sheikh shaikh sayyid general gen col colonel lt maj major capt');
const forms = words(
  'ltd limited llc llp lp plc inc incorporated corp corporation co company gmbh ag kg sa sas sarl spa srl bv nv oy oyj ab as aps pte pty pvt sdn bhd ooo oao zao pao ao jsc ojsc cjsc pjsc fze fzco fzc fz est kk lda ltda sl slu doo dooel ad ead eood ood kft zrt sro as uab sia ou',
);
const articles = words(
  'al el ul ad ar as ash at az an the of and und et de da do dos del della di la le les der den von van zu bin ibn ben bn bint',
);
const common = words(
  'trading general international intl global group holding holdings services service industries industry industrial enterprise enterprises investment investments bank shipping marine maritime lines transport logistics construction engineering technology technologies tech solutions systems energy oil gas petroleum petrochemical steel import export commercial commerce finance financial capital management development national state research institute university foundation organization organisation association center centre establishment factory company companies partners media digital books store shop market',
);

/** As passports of Malaysia, Bangladesh and India shorten the first name of many. */
const shortened: ReadonlyMap<string, string> = new Map(
  ['mohd', 'muhd', 'mhd', 'mohmd'].map((short) => [short, 'mohammed']),
);

const weightOf = (word: string): number => (word.length === 1 ? 0.4 : common.has(word) ? 0.35 : 1);

/** Abd al-Rahman, Abdul Rahman, Abdur-Rahman and Abdulrahman are one word. */
function joinCompounds(given: readonly string[]): string[] {
  const joined: string[] = [];
  for (let i = 0; i < given.length; i++) {
    const word = given[i] as string;
    const servant = /^abd(?:[aeiou][lrsdtnz]h?)?$/.test(word);
    if (servant) {
      let next = i + 1;
      if (articles.has(given[next] ?? '')) next++;
      const of = given[next];
      if (of !== undefined) {
        joined.push(`abd${of}`);
        i = next;
        continue;
      }
    }
    joined.push(word.replace(/^abd[aeiou][lrsdtnz](?=\w{3})/, 'abd'));
  }
  return joined;
}

const wordOf = (text: string): Word => ({
  ...{ text, sound: soundOf(text), weight: weightOf(text), letters: lettersOf(text), hasDigit: /\d/.test(text) },
});

/** The words of a name in their order, at most 16. A name of nothing but titles and forms keeps them, one of common words its titles. */
export function wordsOf(name: string, readHan: HanReader): Word[] {
  const all = inLatin(name, readHan)
    .replace(/['’‘`ʼʻ]/g, '')
    .replace(/\b(?:[a-z]\.){2,}/g, (dotted) => (forms.has(dotted.replaceAll('.', '')) ? ' ' : dotted))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((w) => w !== '')
    .map((w) => shortened.get(w) ?? w);
  const compounds = joinCompounds(all);
  const said = compounds.filter((w) => !(forms.has(w) || articles.has(w)));
  const bearing = said.filter((w) => !titles.has(w));
  // Where all else is shared by many companies, General is no title but a part of the name.
  const known = bearing.every((w) => common.has(w)) ? said : bearing;
  const kept = known.length > 0 ? known : compounds;
  return kept.slice(0, mostWords).map(wordOf);
}

/** The words of a name in each reading that its script leaves, the first one as `wordsOf` has it; one for most names. */
export function readingsOf(name: string, readHan: HanReader): Word[][] {
  const first = wordsOf(name, readHan);
  const further = furtherReadings(asSeen(name), hepburn);
  if (further.length === 0) return [first];
  const readings = new Map([first, ...further.map((of) => wordsOf(of, readHan))].map((of) => [textOf(of), of]));
  return [...readings.values()];
}

const textOf = (of: readonly Word[]): string => of.map((w) => w.text).join(' ');
