// Made-up names for benchmarks of screening: few first names that many share, family names from syllables, companies. The
// same ones in every run.

/** State of a random generator that gives the same numbers in every run. */
let state = 20_261_126;
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;

/** Few first names that many share, as on the lists, and family names from syllables. */
const firsts =
  'mohammed ahmed ali hassan hussein ibrahim abdul omar khalid yusuf ivan vladimir sergei alexander dmitri nikolai juan jose carlos luis maria kim jong park chen wang li john michael david'.split(
    ' ',
  );
const syllables =
  'ba be bo da do fa ga go ha hi ja ka ko la lo ma mo na no ra ri sa so ta to va vi za zo ran kov man ski shi zad dur bek mar tin son gar wen lou pre sto bri cha dra el fen gre hul isk jor kel lin mor nov ost pol qua rus sch tar ulm ver wil yan zeb'.split(
    ' ',
  );
const business =
  'trading shipping group holdings international energy bank industries stores digital foods logistics'.split(' ');
const families = Array.from({ length: 15_000 }, () =>
  Array.from({ length: 3 + random(2) }, () => pick(syllables)).join(''),
);
const person = () => [pick(firsts), ...(random(2) ? [pick(firsts)] : []), pick(families)].join(' ');
const company = () =>
  [pick(families), ...(random(2) ? [pick(families)] : []), pick(business), pick(['ltd', 'llc', 'plc'])].join(' ');
/** A person's name, or a company's. */
export const name = () => (random(3) === 0 ? company() : person());
