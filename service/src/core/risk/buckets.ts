// Counts and sums of one key in buckets of one width, newest last. Read from text, all but the newest stay text until
// somebody asks for them: most records are counted in the newest, and few rules look further back. Pure.
import { type Decimal, decimal } from '../money.ts';
import { plainOf, plus } from '../sums.ts';
import type { CountedKind } from './counters.ts';

export interface Cell {
  count: number;
  sum: Decimal;
}

export interface Bucket {
  /** Milliseconds. */
  readonly start: number;
  /** By name of a cell. */
  readonly cells: Map<string, Cell>;
}

/** As they are stored: none may change. */
const codes: Readonly<Record<CountedKind, string>> = {
  verifyTransaction: 'v',
  deposit: 'd',
  withdrawal: 'w',
  cryptoDeposit: 'D',
  cryptoWithdrawal: 'W',
  captureWager: 'g',
  capturePayout: 'p',
  chargeback: 'c',
  decline: 'n',
};
const kinds = new Map(Object.entries(codes).map(([kind, code]) => [code, kind as CountedKind]));

/** In place of a currency: all that have no cell of their own. */
export const otherCurrencies = '+';
/** Cells of a bucket at most; further currencies are counted together, and not summed. */
const mostCells = 48;

/** A record as it is counted. */
export interface CountedRecord {
  readonly kind: CountedKind;
  /** Milliseconds. */
  readonly at: number;
  readonly amount: Decimal;
  readonly currency: string;
}

export const cellOf = (kind: CountedKind, currency: string): string => `${codes[kind]}${currency}`;
export const kindOf = (cell: string): CountedKind => kinds.get(cell[0] as string) as CountedKind;

function add(cells: Map<string, Cell>, kind: CountedKind, currency: string, amount: Decimal): void {
  const name = cellOf(kind, currency);
  const known = cells.get(name);
  if (known) {
    known.count++;
    known.sum = plus(known.sum, amount);
  } else if (cells.size < mostCells) cells.set(name, { count: 1, sum: amount });
  else {
    const others = cellOf(kind, otherCurrencies);
    const cell = cells.get(others);
    if (cell) cell.count++;
    else cells.set(others, { count: 1, sum: { units: 0n, scale: 0 } });
  }
}

/** As it is stored, like a bucket: of plain characters that an array of PostgreSQL need not mask. */
export const cellText = (name: string, count: number, sum: string): string => `${name},${count},${sum}`;

/**
 * @param start in widths
 * @param cells by `cellText`
 */
export const bucketText = (start: number, cells: readonly string[]): string =>
  `${start.toString(36)}:${cells.join('/')}`;

export class Buckets {
  readonly #ms: number;
  readonly #most: number;
  /** The older ones, as they were written; empty if there are none, or one was to be changed. */
  #older = '';
  readonly #known: Bucket[] = [];

  /**
   * @param ms width of a bucket
   * @param most buckets at most
   * @param newest by `newest`; empty if there is none
   * @param older by `older`
   */
  constructor(ms: number, most: number, newest = '', older = '') {
    this.#ms = ms;
    this.#most = most;
    this.#older = older;
    if (newest !== '') this.#known.push(this.#read(newest));
  }

  get all(): readonly Bucket[] {
    return this.#older === '' ? this.#known : [...this.#readOlder(), ...this.#known];
  }

  /** Counts something at its time, unless that is older than what is kept. */
  count({ kind, at, amount, currency }: CountedRecord): void {
    const cells = this.#at(Math.floor(at / this.#ms) * this.#ms)?.cells;
    if (cells) add(cells, kind, currency, amount);
  }

  /** Puts an amount in place of one that was counted at a time. @returns whether that one is still kept */
  recount(was: CountedRecord, is: Pick<CountedRecord, 'amount' | 'currency'>): boolean {
    const start = Math.floor(was.at / this.#ms) * this.#ms;
    const newest = this.#known.at(-1);
    const cells = (newest?.start === start ? newest : this.#changeable().find((b) => b.start === start))?.cells;
    const before = cells?.get(cellOf(was.kind, was.currency));
    if (!cells || !before) return false;
    before.count--;
    before.sum = plus(before.sum, { units: -was.amount.units, scale: was.amount.scale });
    add(cells, was.kind, is.currency, is.amount);
    return true;
  }

  /** As text; empty if there is none. */
  get newest(): string {
    return this.#known
      .slice(-1)
      .map((bucket) => this.#write(bucket))
      .join('');
  }

  get older(): string {
    const known = this.#known.slice(0, -1).map((bucket) => this.#write(bucket));
    return (this.#older === '' ? known : [this.#older, ...known]).join(';');
  }

  #write({ start, cells }: Bucket): string {
    const texts = [...cells].map(([name, c]) => cellText(name, c.count, plainOf(c.sum)));
    return bucketText(start / this.#ms, texts);
  }

  #readOlder(): Bucket[] {
    return this.#older.split(';').map((text) => this.#read(text));
  }

  /** All of them, each to be written again. */
  #changeable(): readonly Bucket[] {
    if (this.#older !== '') this.#known.unshift(...this.#readOlder());
    this.#older = '';
    return this.#known;
  }

  #read(text: string): Bucket {
    const [start = '', cells = ''] = text.split(':');
    return {
      start: this.#startOf(start),
      cells: new Map(
        cells.split('/').map((cell) => {
          const [name = '', count, sum = ''] = cell.split(',');
          return [name, { count: Number(count), sum: decimal(sum) }];
        }),
      ),
    };
  }

  #startOf(text: string): number {
    return Number.parseInt(text, 36) * this.#ms;
  }

  /** The bucket that begins at a moment; undefined if that is older than what is kept. */
  #at(start: number): Bucket | undefined {
    const newest = this.#known.at(-1);
    if (newest?.start === start) return newest;
    if (newest && start < newest.start) return this.#late(start, newest);
    const made = { start, cells: new Map() };
    this.#known.push(made);
    this.#forget(start - this.#most * this.#ms);
    return made;
  }

  /** Clocks of several machines differ: what comes late is counted where it belongs. */
  #late(start: number, newest: Bucket): Bucket | undefined {
    const known = this.#changeable().find((b) => b.start === start);
    if (known || start <= newest.start - this.#most * this.#ms) return known;
    const made = { start, cells: new Map() };
    this.#known.splice(
      this.#known.findIndex((b) => b.start > start),
      0,
      made,
    );
    return made;
  }

  /** Forgets the buckets that begin at a moment or before. */
  #forget(last: number): void {
    while (this.#older !== '' && this.#startOf(this.#older.slice(0, this.#older.indexOf(':'))) <= last) {
      const next = this.#older.indexOf(';') + 1;
      this.#older = next === 0 ? '' : this.#older.slice(next);
    }
    while (this.#older === '' && (this.#known[0] as Bucket).start <= last) this.#known.shift();
  }
}
