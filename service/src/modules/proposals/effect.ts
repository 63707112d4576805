// What a proposed change of tax rules would have done to last month's records, had it been in force from that month's
// first day: each record is taxed again by the rules in force and by those proposed, as rate corrections do. Reads only.
import { setImmediate as pause } from 'node:timers/promises';
import { localDate } from '../../core/calendar.ts';
import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import { phrase, Refusal, refuse, said } from '../../core/refusal.ts';
import { type Month, monthOf } from '../../core/reports/period.ts';
import { sumOf } from '../../core/sums.ts';
import { asIfInForce } from '../../core/tax/as-if.ts';
import { RuleBook } from '../../core/tax/book.ts';
import { lineChanges, type TaxedAs } from '../../core/tax/correction.ts';
import { DutySums, EffectSums, type Share, shares } from '../../core/tax/effect.ts';
import type { CountryTax, TaxedOperation } from '../../core/tax/rule.ts';
import type { Evidence } from '../../core/transaction.ts';
import { assess, readRecorded } from '../corrections/index.ts';
import { type DayRange, readDayRange } from '../kernel/day-filter.ts';
import type { Needs } from '../kernel/needs.ts';
import { recordCounts } from '../totals/index.ts';
import { type Play, type PlayKind, readPlays, taxesOfPlay } from '../wagers/index.ts';
import type { Proposal } from './proposal-store.ts';

/** Records taxed again at most; they are spread over the month and the PSPs in proportion. */
export const mostRead = 10_000;
/** Lists read at most: one for a PSP and kind of record, or for each of its days where not all are read. */
const mostLists = 400;
const page = 250;

type Rules = Needs<'reference' | 'rates'>;
type Kept = 'transactions' | PlayKind;

interface List {
  readonly psp: PspId;
  readonly kept: Kept;
  /** Undefined for the whole month. */
  readonly day: string | undefined;
  readonly count: number;
}

const keptOf = (kind: string): Kept => (kind === 'captureWager' || kind === 'capturePayout' ? kind : 'transactions');

/** @throws STATE_CONFLICT unless it is an open proposal of tax rules */
export async function effectOf(s: Needs<'db' | 'reference' | 'rates'>, p: Proposal, now: number, most = mostRead) {
  if (p.kind !== 'TAX')
    throw refuse(
      'STATE_CONFLICT',
      p.kind === 'RISK'
        ? 'the effect of a risk rule is shown by riskReplay'
        : 'an effect is worked out of proposals of tax rules alone',
    );
  if (p.state !== 'OPEN')
    throw refuse(
      'STATE_CONFLICT',
      said`the proposal is ${phrase(p.state)}: its effect is worked out while it waits for a decision`,
    );
  const proposed = JSON.parse(p.content) as CountryTax;
  const inForce = s.rates.book.country(p.subject) ?? { ...proposed, rules: [], discounts: [] };
  const month = lastMonth(inForce.timeZone, now);
  const asIf = asIfInForce(inForce, proposed, month.first);
  const touched = new Set(asIf.changed.flatMap((r) => r.operations));
  if (asIf.decides && asIf.changed.length === 0) touched.add('verifyTransaction');
  const run = new Run(
    { reference: s.reference, rates: s.rates },
    { reference: s.reference, rates: { fees: s.rates.fees, book: new RuleBook('proposed', [asIf.country]) } },
  );
  const lists = await listsOf(s, p.subject, month, touched);
  const known = lists.reduce((n, l) => n + l.count, 0);
  const { readings, sampled } = plan(lists, most);
  for (const share of readings) await readShare(s, run, p.subject, month, share);
  return {
    proposalId: toWire('proposal', p.id),
    countryCode: p.subject,
    from: month.first,
    to: month.last,
    begins: asIf.begins ?? null,
    dataset: s.rates.book.version,
    records: known,
    looked: run.looked,
    sampled,
    changed: run.changed,
    correctable: run.correctable,
    left: run.left,
    notLookedAt: touched.has('recordCDR') ? ['recordCDR'] : [],
    lines: run.sums.lines(),
    duties: run.duties.lines(),
    examples: run.sums.examples(),
  };
}

/** The last calendar month that has ended there. */
function lastMonth(timeZone: string, now: number): Month {
  const [year, month] = localDate(timeZone, now).split('-').map(Number) as [number, number];
  const name = new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7);
  return monthOf(name, timeZone) as Month;
}

/** The lists that may hold records whose tax the change decides, by day. */
async function listsOf(
  s: Needs<'db'>,
  country: string,
  month: Month,
  touched: ReadonlySet<TaxedOperation>,
): Promise<List[]> {
  if (touched.size === 0) return [];
  const counts = await recordCounts(s.db, { country, from: month.first, to: month.last });
  const asked = new Set([...touched].map(keptOf));
  const lists = new Map<string, List>();
  for (const c of counts) {
    const kept = keptOf(c.kind);
    if (!asked.has(kept)) continue;
    const key = `${c.psp} ${kept} ${c.day}`;
    lists.set(key, { psp: c.psp, kept, day: c.day, count: c.count + (lists.get(key)?.count ?? 0) });
  }
  return [...lists.values()];
}

/** How many of each list to read: all, else a share of each day. */
function plan(
  lists: readonly List[],
  most: number,
): { readonly readings: readonly Share<List>[]; readonly sampled: boolean } {
  const known = lists.reduce((n, l) => n + l.count, 0);
  if (known > most) return { readings: shares(lists, most, mostLists), sampled: true };
  const whole = [...Map.groupBy(lists, (l) => `${l.psp} ${l.kept}`).values()].map((days) => ({
    ...(days[0] as List),
    day: undefined,
    count: days.reduce((n, l) => n + l.count, 0),
  }));
  if (whole.length > mostLists) return { readings: shares(whole, most, mostLists), sampled: true };
  // Totals follow the records: what is not counted yet is read too.
  return { readings: whole.map((l) => ({ ...l, take: most })), sampled: false };
}

async function readShare(s: Needs<'db' | 'rates'>, run: Run, country: string, month: Month, share: Share<List>) {
  const { psp, kept, day } = share;
  const days = readDayRange(s, {
    dayFrom: day ?? month.first,
    dayTo: day ?? month.last,
    countryCode: country,
  }) as DayRange;
  const range = { psp, only: undefined, country, days, rule: undefined, duty: false };
  let left = share.take;
  for (let after: string | null = null; left > 0; ) {
    const limit = Math.min(page, left);
    let last: string | undefined;
    let read: number;
    if (kept === 'transactions') {
      const rows = await readRecorded(s.db, range, after, limit);
      for (const r of rows) run.transaction(r);
      [last, read] = [rows.at(-1)?.transaction.id, rows.length];
    } else {
      const rows = await readPlays(s.db, kept, range, after, limit);
      for (const r of rows) run.play(r);
      [last, read] = [rows.at(-1)?.record.id, rows.length];
    }
    await pause();
    if (read < limit || last === undefined) return;
    after = last;
    left -= read;
  }
}

const taxOf = (t: Pick<TaxedAs, 'tax'>): string => sumOf(t.tax.map((l) => l.tax));
const asTaxed = (e: Evidence): TaxedAs => ({ vatAmount: '0', transactionVat: '0', remainder: '0', tax: e.tax });

/** Compares records one by one and sums what differs. */
class Run {
  readonly sums = new EffectSums();
  readonly duties = new DutySums();
  looked = 0;
  changed = 0;
  /** Records whose taxes are not those of the rules in force: a correction would adjust them, whatever is decided here. */
  correctable = 0;
  /** Records that the proposed rules do not cover. */
  left = 0;
  readonly #now: Rules;
  readonly #proposed: Rules;

  constructor(now: Rules, proposed: Rules) {
    this.#now = now;
    this.#proposed = proposed;
  }

  transaction(recorded: Parameters<typeof assess>[1]): void {
    this.looked++;
    const { transaction: t, stands } = recorded;
    const { after: now = stands } = assess(this.#now, recorded);
    const { after: proposed } = assess(this.#proposed, recorded);
    if (lineChanges(stands, now).length > 0) this.correctable++;
    if (!proposed) {
      this.left++;
      return;
    }
    const differs = lineChanges(now, proposed).length > 0;
    if (differs) this.changed++;
    this.sums.add({
      operation: t.kind,
      currency: t.currency,
      id: toWire('transaction', t.id),
      pspId: toWire('psp', t.psp),
      account: accountWire(t.psp, t.account),
      date: t.evidence.date,
      amount: t.amount,
      now: taxOf(now),
      proposed: taxOf(proposed),
      differs,
    });
  }

  play(p: Play): void {
    this.looked++;
    const { record: r } = p;
    const [now, proposed] = [taxesOfPlay(this.#now, p), taxesOfPlay(this.#proposed, p)];
    if (lineChanges(asTaxed(r.evidence), asTaxed(now)).length > 0) this.correctable++;
    const accrued = JSON.stringify(now.accruals) !== JSON.stringify(proposed.accruals);
    const differs = lineChanges(asTaxed(now), asTaxed(proposed)).length > 0 || accrued;
    if (differs) this.changed++;
    const account = accountWire(r.psp, r.account);
    this.sums.add({
      operation: p.operation,
      currency: r.currency,
      id: toWire(p.operation === 'captureWager' ? 'wager' : 'payout', r.id),
      pspId: toWire('psp', r.psp),
      account,
      date: r.evidence.date,
      amount: r.amount,
      now: taxOf(now),
      proposed: taxOf(proposed),
      differs,
    });
    const asset = this.#now.reference.asset(r.currency, r.evidence.date, true);
    const decimals = asset instanceof Refusal ? 2 : asset.decimals;
    for (const [side, by, evidence] of [
      ['now', this.#now, now],
      ['proposed', this.#proposed, proposed],
    ] as const)
      for (const a of evidence.accruals ?? []) {
        const rule = by.rates.book.rule(a.rule)?.rule;
        if (!rule) continue;
        const bands = rule.brackets && { brackets: rule.brackets };
        this.duties.add(side, { ...a, account, currency: r.currency, decimals, rounding: rule.rounding, ...bands });
      }
  }
}
