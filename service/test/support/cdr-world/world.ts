// A month of three operators' call detail files, with planted cases. The same seed and size give the same bytes.
import { type CdrRow, wideHeader, wideLine } from '../cdr-files.ts';
import { chance } from './chance.ts';
import { type Operator, operators, type Subscriber, subscriber } from './people.ts';
import { nothingPlanted, type Planted } from './planted.ts';
import * as plants from './plants.ts';
import { iso, type Made, Rows } from './rows.ts';
import { type Day, Diary, dayMs, nameOf, ordinary } from './traffic.ts';

export interface WorldOptions {
  readonly seed: number;
  /** `YYYY-MM`; calls begin on its days from 02:00 to 21:00 UTC. */
  readonly month: string;
  /** Ordinary calls, messages and sessions of each operator on a day. */
  readonly perDay: number;
  readonly days?: number;
  readonly planted?: boolean;
}

export interface WorldFile {
  readonly operator: Operator;
  readonly name: string;
  readonly text: string;
  /** The rows of its lines, bad ones too. */
  readonly rows: readonly CdrRow[];
}

export interface WorldDay {
  /** ISO date of the calls. */
  readonly date: string;
  /** When its files are sent: a little after its last call. */
  readonly sentMs: number;
  readonly files: readonly WorldFile[];
}

/** Days after its call on which a late record comes: more than the seven that are in time. */
const lateDays = 9;

export class World {
  readonly #o: WorldOptions;
  readonly #chance;
  readonly #rows: Rows;
  readonly #people: ReadonlyMap<Operator, readonly Subscriber[]>;
  readonly #numbers = new Map<Operator, number>();
  /** Files' rows that go with a later day, by its place in the month. */
  readonly #later = new Map<number, Made[]>();
  /** Complete once all days were made. */
  readonly planted: Planted = nothingPlanted();

  constructor(options: WorldOptions) {
    this.#o = options;
    this.#chance = chance(options.seed);
    this.#rows = new Rows(this.#chance);
    // Each makes and receives a handful of calls a day: nobody stands out by chance.
    const each = Math.max(60, Math.ceil(options.perDay / 2));
    this.#people = new Map(
      operators.map((o) => [o, Array.from({ length: each }, (_, n) => subscriber(this.#chance, o, n))]),
    );
  }

  *days(): Generator<WorldDay> {
    const first = Date.parse(`${this.#o.month}-01T00:00:00Z`);
    const most = new Date(Date.UTC(Number(this.#o.month.slice(0, 4)), Number(this.#o.month.slice(5)), 0)).getUTCDate();
    const days = this.#o.days ?? most;
    const standouts = this.#o.planted === false ? undefined : new plants.Standouts(this.#context(first), 50);
    for (let i = 0; i < days; i++) {
      const startMs = first + i * dayMs;
      const d = this.#context(startMs);
      for (const o of operators) ordinary(d, o, this.#o.perDay);
      if (standouts) this.#plant(d, i, days, standouts);
      // As a switch writes them: by the time of the call.
      d.out.sort((a, b) => ((a.row.call_start_time ?? '') < (b.row.call_start_time ?? '') ? -1 : 1));
      const sentMs = startMs + dayMs - 3_600_000;
      d.out.push(...(this.#later.get(i) ?? []));
      yield { date: iso(startMs).slice(0, 10), sentMs, files: operators.flatMap((o) => this.#files(d, o, i, sentMs)) };
    }
  }

  #context(startMs: number): Day {
    return {
      chance: this.#chance,
      diary: new Diary(this.#chance, startMs),
      rows: this.#rows,
      people: this.#people,
      planted: this.planted,
      out: [],
    };
  }

  #plant(d: Day, i: number, days: number, standouts: plants.Standouts): void {
    const operator = operators[i % operators.length] as Operator;
    if (i % 2 === 0) plants.nearDuplicate(d, operator);
    if (i % 3 === 1) plants.unmatched(d, operator);
    if (i % 3 === 2) plants.differing(d, operator);
    if (i % 5 === 0) plants.misnamed(d, operator);
    if (i % 4 === 3) plants.overlap(d, operator);
    if (i === 3 || i === 4) standouts.onDay(d);
    plants.badLines(d, operator, i);
    if (i % 6 === 1 && i + lateDays < days) {
      // Calls within one network: their absence until then says nothing of the other side.
      const candidates = d.out.filter((m) => m.operator === operator && m.row.call_type === 'SMS');
      const late = candidates[0];
      if (!late) return;
      d.out.splice(d.out.indexOf(late), 1);
      this.#later.set(i + lateDays, [...(this.#later.get(i + lateDays) ?? []), late]);
      this.planted.late.push(nameOf(late));
    }
    if (i % 2 === 1 && i + 1 < days) {
      const sound = d.out.filter((m) => m.operator === operator && m.row.call_type === 'SMS');
      const again = sound.at(-1);
      if (!again) return;
      this.#later.set(i + 1, [...(this.#later.get(i + 1) ?? []), again]);
      this.planted.duplicates.push(nameOf(again));
    }
  }

  /** One file of the operator's records; a number now and then is left out, or used twice. */
  #files(d: Day, operator: Operator, i: number, sentMs: number): WorldFile[] {
    const at = operators.indexOf(operator);
    const date = iso(sentMs).slice(0, 10);
    let number = (this.#numbers.get(operator) ?? 0) + 1;
    if (this.#o.planted !== false && i > 0 && i % 10 === 4 + at) {
      const missing = 1 + at;
      this.planted.gaps.push({ operator: operator.token, day: date, from: number, to: number + missing - 1 });
      number += missing;
    }
    this.#numbers.set(operator, number);
    const rows = d.out.filter((m) => m.operator === operator).map((m) => m.row);
    if (this.#o.planted === false || i !== 12 + at) return [file(operator, sentMs, number, rows)];
    const half = Math.ceil(rows.length / 2);
    this.planted.doubledNumbers.push({ operator: operator.token, day: date, number });
    return [
      file(operator, sentMs, number, rows.slice(0, half)),
      file(operator, sentMs + 60_000, number, rows.slice(half)),
    ];
  }
}

const digits = (ms: number) => iso(ms).replace(/\D/g, '');

function file(operator: Operator, ms: number, number: number, rows: readonly CdrRow[]): WorldFile {
  const name = `CDR_${operator.token}_${digits(ms)}_${String(number).padStart(4, '0')}.csv`;
  return { operator, name, text: [wideHeader, ...rows.map(wideLine), trailer(rows), ''].join('\n'), rows };
}

/** Sums are left out where a line cannot be summed. */
function trailer(rows: readonly CdrRow[]): string {
  const of = (c: string) => rows.map((r) => Number(r[c]));
  const [durations, costs] = [of('call_duration_seconds'), of('billing_information_call_cost')];
  const sum = (values: number[], decimals: number) =>
    values.every(Number.isFinite) ? values.reduce((a, b) => a + b, 0).toFixed(decimals) : '';
  return `#TRAILER,${rows.length},${sum(durations, 0)},${sum(costs, 2)}`;
}
