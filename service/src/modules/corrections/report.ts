// The report rateCorrection: the taxes of a range of days under the rules now in force, the difference to the current
// amounts, and the adjustments made. Changes nothing.
import { setImmediate as pause } from 'node:timers/promises';
import { Type } from 'typebox';
import { accountFromWire, toWire } from '../../core/ids.ts';
import { Refusal } from '../../core/refusal.ts';
import type { ReportColumn, ReportRow, ReportSection } from '../../core/reports/document.ts';
import { plain, sumOf } from '../../core/sums.ts';
import { openPath } from '../../core/totals/open.ts';
import { accountWire } from '../../core/transaction.ts';
import type { Needs } from '../kernel/needs.ts';
import { type ReportRun, reportKind } from '../kernel/report.ts';
import { countRecorded, type Range, readRecorded, sumAdjustments } from './adjustment-store.ts';
import { type Assessed, assess, deltaOf } from './affected.ts';
import { type RangeAsked, readRange } from './range.ts';

const page = 250;
/** Maximum lines for single transactions. */
const mostListed = 10_000;

const text = (name: string, title: string): ReportColumn => ({ name, title, type: 'text' });
const money = (name: string, title: string): ReportColumn => ({ name, title, type: 'money' });
const count = (name: string, title: string): ReportColumn => ({ name, title, type: 'count' });
const currency = text('currency', 'Currency');
const deltas = [
  money('vatDelta', 'Tax, difference'),
  money('transactionVatDelta', 'Tax on fee, difference'),
  money('merchantDelta', 'Merchant or net, difference'),
];

/** Figures summed by a key. */
class Sums {
  readonly #sums = new Map<string, { n: number; figures: string[] }>();

  add(key: readonly string[], figures: readonly string[]): void {
    const k = JSON.stringify(key);
    const known = this.#sums.get(k);
    if (!known) this.#sums.set(k, { n: 1, figures: figures.map(plain) });
    else {
      known.n++;
      known.figures = known.figures.map((f, i) => sumOf([f, figures[i] as string]));
    }
  }

  /** @param open API path of the records under a key */
  rows(open?: (key: readonly string[]) => string | undefined): ReportRow[] {
    return [...this.#sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, { n, figures }]) => {
        const key = JSON.parse(k) as string[];
        const way = open?.(key);
        return { cells: [...key, String(n), ...figures], ...(way === undefined ? {} : { open: way }) };
      });
  }
}

export const rateCorrectionReport = reportKind({
  name: 'rateCorrection',
  title: 'Rate correction',
  summary:
    'Taxes of approved transactions by the rules now in force, compared with those recorded: a dry run of adjusting entries, and those made.',
  audience: ['psp', 'operator'],
  parameters: Type.Object({
    countryCode: Type.String({ description: 'ISO 3166-1 code of the country taxed in.', minLength: 2, maxLength: 3 }),
    from: Type.String({ description: 'First local day, such as 2026-10-01.', minLength: 10, maxLength: 10 }),
    to: Type.String({ description: 'Last day, in the same calendar.', minLength: 10, maxLength: 10 }),
    rule: Type.Optional(Type.String({ description: 'Only transactions taxed by this rule.', maxLength: 80 })),
  }),
  check(asked, s: Needs<'reference' | 'rates'>) {
    const range = rangeOf(s, asked);
    return range instanceof Refusal ? range : undefined;
  },
  async run(run, s: Needs<'reference' | 'rates'>) {
    const range = rangeOf(s, run);
    if (range instanceof Refusal) throw range;
    const { of, ...found } = await hold(s, run, range);
    return {
      title: `Rate correction of ${run.concerned.name}, ${range.country}, ${range.days.from} to ${range.days.to}`,
      facts: [
        { name: 'days', title: 'Days', value: `${range.days.from} to ${range.days.to}, ${range.timeZone}` },
        { name: 'rule', title: 'Taxed by', value: range.rule ?? 'any rule' },
        { name: 'looked', title: 'Transactions looked at', value: String(of) },
      ],
      provisional: range.open,
      sections: [found.summary, found.byRule, found.byClient, found.transactions, found.left, await made(run, range)],
    };
  },
});

const rangeOf = (
  s: Needs<'reference' | 'rates'>,
  asked: Pick<ReportRun<RangeAsked>, 'psp' | 'only' | 'parameters' | 'now'>,
) => readRange(s, { psp: asked.psp, only: asked.only }, asked.parameters, asked.now);

/** Reads the range page by page; requests are answered between pages. */
async function hold(s: Needs<'reference' | 'rates'>, run: ReportRun<RangeAsked>, range: Range) {
  const of = await countRecorded(run.db, range);
  const [summary, byRule, byClient, left] = [new Sums(), new Sums(), new Sums(), new Sums()];
  const listed: ReportRow[] = [];
  let looked = 0;
  let affected = 0;
  for (let after: string | null = null; ; ) {
    const rows = await readRecorded(run.db, range, after, page);
    for (const recorded of rows) {
      const a = assess(s, recorded);
      const { transaction: t, stands } = recorded;
      if (!a.after) left.add([a.reason as string], []);
      if (!a.after || a.changes.length === 0) continue;
      affected++;
      const delta = deltaOf(stands, a.after);
      const figures = [delta.vatAmount, delta.transactionVat, delta.remainder];
      summary.add([t.currency], [stands.vatAmount, a.after.vatAmount, ...figures]);
      byClient.add([accountWire(t.psp, t.account), t.currency], figures);
      for (const c of a.changes) byRule.add([c.rule, t.currency], [c.taxable, c.tax]);
      if (listed.length < mostListed) listed.push(line(a, figures));
    }
    looked += rows.length;
    run.progress(looked, of + 1);
    await pause();
    if (rows.length < page) break;
    after = rows.at(-1)?.transaction.id ?? null;
  }
  const section = (s: Omit<ReportSection, 'rows'>, rows: readonly ReportRow[]): ReportSection => ({ ...s, rows });
  const affectedCount = count('transactions', 'Transactions');
  return {
    of: looked,
    summary: section(
      {
        name: 'summary',
        title: 'What would be adjusted',
        note: 'Approved transactions that were not charged back, whose taxes differ from what the rules in force now make of them on the day that decided. Fees stay.',
        columns: [
          currency,
          affectedCount,
          money('vatStands', 'Tax, as recorded'),
          money('vatNow', 'Tax, recomputed'),
          ...deltas,
        ],
      },
      summary.rows(([currency]) => openApproved(range, { currency, account: range.only })),
    ),
    byRule: section(
      {
        name: 'byRule',
        title: 'By rule',
        columns: [
          text('rule', 'Rule'),
          currency,
          affectedCount,
          money('taxableDelta', 'Taxable, difference'),
          money('taxDelta', 'Tax, difference'),
        ],
      },
      byRule.rows(),
    ),
    byClient: section(
      {
        name: 'byClient',
        title: 'By client',
        note: 'The way opens to all approved transactions of these days; those that differ stand below.',
        columns: [text('clientId', 'Client'), currency, affectedCount, ...deltas],
      },
      byClient.rows(([client, currency]) =>
        openApproved(range, { currency, account: accountFromWire(client as string) }),
      ),
    ),
    transactions: section(
      {
        name: 'transactions',
        title: 'Transactions',
        note: affected > listed.length ? `The first ${listed.length} of ${affected}.` : `All ${affected}.`,
        columns: [
          text('transactionId', 'Transaction'),
          text('clientId', 'Client'),
          { name: 'date', title: 'Date', type: 'date' },
          currency,
          money('amount', 'Amount'),
          money('vatStands', 'Tax, as recorded'),
          money('vatNow', 'Tax, recomputed'),
          ...deltas,
        ],
      },
      listed,
    ),
    left: section(
      {
        name: 'left',
        title: 'Without an answer',
        note: 'The rules in force now have none for these: they would stay as they are.',
        columns: [text('reason', 'Reason'), affectedCount],
      },
      left.rows(),
    ),
  };
}

const openApproved = (
  { psp, days, country, rule }: Range,
  of: { currency: string | undefined; account: string | undefined },
): string | undefined => openPath({ psp, ...days, country, taxRule: rule, verdict: 'APPROVED', ...of });

function line({ recorded: { transaction: t, stands }, after }: Assessed, figures: readonly string[]): ReportRow {
  const id = toWire('transaction', t.id);
  return {
    cells: [
      id,
      accountWire(t.psp, t.account),
      t.evidence.date,
      t.currency,
      plain(t.amount),
      plain(stands.vatAmount),
      plain(after?.vatAmount ?? '0'),
      ...figures,
    ],
    open: `/v1/transaction/${id}`,
  };
}

async function made(run: ReportRun, range: Range): Promise<ReportSection> {
  const rows = await sumAdjustments(run.db, range);
  return {
    name: 'adjustments',
    title: 'Adjustments made',
    note: 'Of transactions of these days, by the day they were made.',
    columns: [
      { name: 'madeOn', title: 'Made on', type: 'date' },
      text('dataset', 'Rules'),
      currency,
      text('reason', 'Reason'),
      count('adjustments', 'Adjustments'),
      ...deltas,
    ],
    rows: rows.map((r) => ({
      cells: [
        r.madeOn.slice(0, 10),
        r.dataset,
        r.currency,
        r.reason,
        String(r.n),
        plain(r.vat),
        plain(r.transactionVat),
        plain(r.remainder),
      ],
    })),
  };
}
