// What is planted in the traffic of a day: each plant leaves its records with the day's and tells of them.
import type { CdrRow } from '../cdr-files.ts';
import { foreignNumber, imei, type Operator, operators, type Subscriber, simBox } from './people.ts';
import { iso, type Made } from './rows.ts';
import { anyOf, type Day, foreign, nameOf, offNet, onNet, otherThan } from './traffic.ts';

/** So many different ones. */
function people(d: Day, operator: Operator, count: number): Subscriber[] {
  const chosen = new Set<Subscriber>();
  while (chosen.size < count) chosen.add(anyOf(d, operator));
  return [...chosen];
}

/** Records of the same call under another id, up to a second apart. */
export function nearDuplicate(d: Day, operator: Operator): void {
  const [a, b] = people(d, operator, 2) as [Subscriber, Subscriber];
  const first = onNet(d, a, b, d.chance.whole(20, 200));
  const shiftMs = d.chance.whole(0, 1) * 1000;
  const shifted = (c: string) => iso(Date.parse(first.row[c] as string) + shiftMs);
  const row: CdrRow = {
    ...first.row,
    cdr_id: d.rows.nextId(operator),
    call_start_time: shifted('call_start_time'),
    call_end_time: shifted('call_end_time'),
  };
  const again = { operator, row };
  d.out.push(again);
  d.planted.nearDuplicates.push([nameOf(first), nameOf(again)]);
}

/** A network of this name is nobody's here. */
export function misnamed(d: Day, operator: Operator): void {
  const network = 'Starlight Telecom';
  const caller = anyOf(d, operator);
  const durationS = d.chance.whole(10, 100);
  const startMs = d.diary.slot([caller.imei], durationS);
  const change = { network_provider: network };
  const made = d.rows.make(operator, caller, foreignNumber(d.chance), { startMs, durationS, change });
  d.out.push(made);
  foreign(d, network, made);
}

/** An off-net call that one of its two sides leaves out. */
export function unmatched(d: Day, operator: Operator): void {
  const [a, b] = offNet(d, anyOf(d, operator), anyOf(d, otherThan(d, operator)), d.chance.whole(20, 200));
  const [kept, left] = d.chance.next() < 0.5 ? [a, b] : [b, a];
  d.out.splice(d.out.indexOf(left), 1);
  d.planted.unmatched.push({ record: nameOf(kept), missingAt: left.operator.token });
}

/** An off-net call whose sides differ by more than the clocks explain. */
export function differing(d: Day, operator: Operator): void {
  const [a, b] = offNet(d, anyOf(d, operator), anyOf(d, otherThan(d, operator)), d.chance.whole(60, 200));
  const longer = Number(b.row.call_duration_seconds) + d.chance.whole(5, 15);
  const end = Date.parse(b.row.call_start_time as string) + longer * 1000;
  Object.assign(b.row, { call_duration_seconds: String(longer), call_end_time: iso(end) });
  d.planted.differing.push([nameOf(a), nameOf(b)]);
}

/** Two SIMs with one device number talk at once. */
export function overlap(d: Day, operator: Operator): void {
  const [a, b, to] = people(d, operator, 3) as [Subscriber, Subscriber, Subscriber];
  const startMs = d.diary.slot([a.imei, b.imei, to.imei], 400);
  const first = d.rows.make(operator, a, to, { startMs, durationS: 300 });
  const second = d.rows.make(operator, { ...b, imei: a.imei }, foreignNumber(d.chance), {
    startMs: startMs + 100_000,
    durationS: 250,
  });
  d.out.push(first, second);
  d.planted.overlaps.push([nameOf(first), nameOf(second)]);
}

/** Lines that each break one rule. */
export function badLines(d: Day, operator: Operator, kind: number): Made {
  const [a, b] = [anyOf(d, operator), anyOf(d, operator)];
  const startMs = d.diary.slot([a.imei], 60);
  const cost = '6.60';
  const changes: readonly (readonly [code: string, readable: string | undefined, change: CdrRow])[] = [
    ['REQUIRED', cost, { caller_number: '' }],
    ['NUMBER_EXPECTED', cost, { call_duration_seconds: 'sixty' }],
    ['END_BEFORE_START', cost, { call_end_time: iso(startMs - 60_000) }],
    ['DURATION_MISMATCH', cost, { call_duration_seconds: '190' }],
    ['CURRENCY_UNKNOWN', undefined, { billing_information_currency: 'XXQ' }],
    ['NEGATIVE', undefined, { billing_information_call_cost: '-1' }],
    ['PARTY_INVALID', cost, { receiver_number: '+08031234567' }],
    ['IMEI_INVALID', cost, { imei_caller: '123' }],
  ];
  const [code, readable, change] = changes[kind % changes.length] as (typeof changes)[number];
  const made = d.rows.make(operator, a, b, { startMs, durationS: 60, cost, change });
  d.out.push(made);
  d.planted.bad.push({ operator: operator.token, id: made.row.cdr_id as string, code, cost: readable });
  return made;
}

/** Callers that stand out, the same ones on every day they are seen. */
export class Standouts {
  readonly box: readonly Subscriber[];
  readonly #callCentre: Subscriber;
  readonly #campaign: Subscriber;
  readonly #shop: readonly Subscriber[];
  readonly calls: number;

  /** @param calls of each SIM in a box on a day */
  constructor(d: Pick<Day, 'chance' | 'planted'>, calls: number) {
    const [mtn, glo, nine] = operators as [Operator, Operator, Operator];
    this.calls = calls;
    this.box = simBox(d.chance, glo, 1, 6);
    const someone = (o: Operator, n: number) => simBox(d.chance, o, n, 1)[0] as Subscriber;
    this.#callCentre = { ...someone(mtn, 2), imei: imei(950_000_001) };
    const places = [3, 4, 5].flatMap((n) => someone(nine, n).places);
    this.#campaign = { ...someone(nine, 6), imei: imei(950_000_002), places };
    this.#shop = simBox(d.chance, mtn, 7, 6).map((s) => ({ ...s, places }));
    const { indicators, sharedDevices } = d.planted;
    for (const s of this.box) indicators.set(s.number, ['STATIC_LOCATION', 'ONE_WAY', 'SHARED_IMEI']);
    indicators.set(this.#callCentre.number, ['STATIC_LOCATION']);
    indicators.set(this.#campaign.number, ['ONE_WAY']);
    for (const group of [this.box, this.#shop])
      sharedDevices.set(
        (group[0] as Subscriber).imei,
        group.map((s) => s.number),
      );
  }

  onDay(d: Day): void {
    for (const sim of this.box) for (let i = 0; i < this.calls; i++) this.#call(d, sim);
    for (let i = 0; i < this.calls; i++) this.#call(d, this.#campaign);
    for (let i = 0; i < this.calls; i++) {
      this.#call(d, this.#callCentre);
      if (i % 2 === 0) onNet(d, anyOf(d, this.#callCentre.operator), this.#callCentre, 30);
    }
    // Sold and tried out: each SIM makes one call.
    for (const s of this.#shop) onNet(d, s, anyOf(d, s.operator), 20);
  }

  #call(d: Day, from: Subscriber): void {
    const to = anyOf(d, d.chance.pick(operators));
    const durationS = d.chance.whole(20, 60);
    if (to.operator === from.operator) onNet(d, from, to, durationS);
    else {
      const [a, b] = offNet(d, from, to, durationS);
      d.planted.matched.push([nameOf(a), nameOf(b)]);
    }
  }
}
