// The recommended names of call detail files, `CDR_<OPERATOR>_<YYYYMMDDHHMMSS>_<SEQ>.csv`. Their sequence numbers show
// which files are missing and which numbers were used twice. Other names are ignored.

export interface FileName {
  /** The operator's name as in the file name, in upper case. */
  readonly operator: string;
  /** When the file was written, in the sender's time zone: YYYYMMDDHHMMSS. */
  readonly written: string;
  readonly number: number;
}

const form = /^CDR_([A-Z0-9](?:[A-Z0-9-]{0,38}[A-Z0-9])?)_(\d{14})_(\d{1,9})\.csv$/i;

/** @returns undefined for a name of another form */
export function readFileName(name: string): FileName | undefined {
  const [, operator, written, number] = form.exec(name) ?? [];
  if (operator === undefined || written === undefined || number === undefined) return undefined;
  return dateOf(written) === undefined
    ? undefined
    : { operator: operator.toUpperCase(), written, number: Number(number) };
}

/** The ISO date in a name's digits; undefined if the time does not exist. */
function dateOf(written: string): string | undefined {
  const [, y, mo, d, h, mi, s] = /^(....)(..)(..)(..)(..)(..)$/.exec(written) ?? [];
  const text = `${y}-${mo}-${d}T${h}:${mi}:${s}.000Z`;
  const ms = Date.parse(text);
  return Number.isNaN(ms) || new Date(ms).toISOString() !== text ? undefined : `${y}-${mo}-${d}`;
}

/** The ISO date in a name. */
export const dayOf = (name: FileName): string =>
  `${name.written.slice(0, 4)}-${name.written.slice(4, 6)}-${name.written.slice(6, 8)}`;

/** Sequence numbers that no file has. */
export interface SequenceGap<F> {
  readonly operator: string;
  readonly from: number;
  readonly to: number;
  /** The first file after the gap. */
  readonly before: F;
}

/** A sequence number that a file and an earlier one have. */
export interface DoubledNumber<F> {
  readonly operator: string;
  readonly number: number;
  readonly first: F;
  readonly again: F;
}

interface Named<F> {
  readonly file: F;
  readonly name: FileName;
}

/**
 * Reads the sequence numbers of one sender's files, separately for each operator name and in the order of writing. A
 * number of 0 or 1 after a higher one starts a new series. So does one on a later day that is less than half of the
 * highest; the numbers from 1 up to it are then missing. A number that is skipped and written later fills its gap.
 */
export function readSequence<F extends { readonly name: string }>(
  files: readonly F[],
): { gaps: SequenceGap<F>[]; doubled: DoubledNumber<F>[] } {
  const series = new Map<string, Named<F>[]>();
  for (const file of files) {
    const name = readFileName(file.name);
    if (name) series.set(name.operator, [...(series.get(name.operator) ?? []), { file, name }]);
  }
  const gaps: SequenceGap<F>[] = [];
  const doubled: DoubledNumber<F>[] = [];
  for (const named of series.values()) {
    named.sort((a, b) => compare(a.name.written, b.name.written) || a.name.number - b.name.number);
    readSeries(named, gaps, doubled);
  }
  return { gaps, doubled };
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function readSeries<F>(named: readonly Named<F>[], gaps: SequenceGap<F>[], doubled: DoubledNumber<F>[]): void {
  let seen = new Map<number, F>();
  let open: SequenceGap<F>[] = [];
  let highest: FileName | undefined;
  for (const { file, name } of named) {
    const { operator, number } = name;
    const missing = (from: number) => {
      if (from < number) open.push({ operator, from, to: number - 1, before: file });
    };
    if (highest === undefined) highest = name;
    else if (number > highest.number) {
      missing(highest.number + 1);
      highest = name;
    } else if (begins(name, highest)) {
      gaps.push(...open);
      open = [];
      seen = new Map();
      missing(1);
      highest = name;
    } else {
      const first = seen.get(number);
      if (first !== undefined) doubled.push({ operator, number, first, again: file });
      else open = open.flatMap((g) => without(g, number));
    }
    if (!seen.has(number)) seen.set(number, file);
  }
  gaps.push(...open);
}

/** Whether a number that is not higher than the highest starts a new series. */
const begins = (name: FileName, highest: FileName): boolean =>
  highest.number > 1 && (name.number <= 1 || (dayOf(name) > dayOf(highest) && name.number < highest.number / 2));

function without<F>(gap: SequenceGap<F>, number: number): SequenceGap<F>[] {
  if (number < gap.from || number > gap.to) return [gap];
  return [
    { ...gap, to: number - 1 },
    { ...gap, from: number + 1 },
  ].filter((g) => g.from <= g.to);
}
