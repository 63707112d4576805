// The report rateCorrection: the taxes of a range of days under the rules now in force, the difference to the current
// amounts, and the adjustments made. Changes nothing.

import { Type } from 'typebox';
import { accountFromWire, accountWire, toWire } from '../../core/ids.ts';
import type { SaidSection } from '../../core/reports/document.ts';
import { clientId, count, date, money, section, text } from '../../core/reports/table.ts';
import { day, said } from '../../core/said.ts';
import { plain, sumOf } from '../../core/sums.ts';
import { openPath } from '../../core/totals/open.ts';
import { allPages } from '../kernel/all-pages.ts';
import type { Needs } from '../kernel/needs.ts';
import { type ReportRun, reportKind } from '../kernel/report.ts';
import { countRecorded, type Range, readRecorded, sumAdjustments } from './adjustment-store.ts';
import { assess, deltaOf, isAffected } from './affected.ts';
import { readRange, ruleMeaning } from './range.ts';

const page = 250;
/** Maximum lines for single transactions. */
const mostListed = 10_000;

const currency = text('currency', 'Currency');
const transactions = count('transactions', 'Transactions');
const changes = [money('vatStands', 'Tax, as recorded'), money('vatNow', 'Tax, recomputed')];
const deltas = [
  money('vatDelta', 'Tax, difference'),
  money('transactionVatDelta', 'Tax on fee, difference'),
  money('merchantDelta', 'Merchant or net, difference'),
];

type Of<N extends string> = Readonly<Record<N, string>>;

/** Figures summed by a key, and how many there are. */
class Sums<K extends string, F extends string = never> {
  readonly #sums = new Map<string, { n: number; figures: Of<F> }>();

  add(key: Of<K>, figures: Of<F>): void {
    const k = JSON.stringify(key);
    const { n, figures: known } = this.#sums.get(k) ?? { n: 0, figures: undefined };
    const sums = Object.entries<string>(figures).map(([f, amount]) => [f, sumOf([amount, known?.[f as F] ?? '0'])]);
    this.#sums.set(k, { n: n + 1, figures: Object.fromEntries(sums) });
  }

  rows(): (Of<K> & Of<F> & { readonly transactions: number })[] {
    return [...this.#sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, { n, figures }]) => ({ ...(JSON.parse(k) as Of<K>), ...figures, transactions: n }));
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
    rule: Type.Optional(Type.String({ description: ruleMeaning, maxLength: 80 })),
  }),
  read: ({ psp, only, parameters, now }, s: Needs<'reference' | 'rates'>) =>
    readRange(s, { psp, only }, parameters, now),
  async run(run, s: Needs<'reference' | 'rates'>, range) {
    const { looked, sections } = await hold(s, run, range);
    return {
      title: said`Rate correction of ${run.concerned.name}, ${range.country}, ${day(range.days.from)} to ${day(range.days.to)}`,
      facts: [
        {
          name: 'days',
          title: 'Days',
          value: said`${day(range.days.from)} to ${day(range.days.to)}, ${range.timeZone}`,
        },
        { name: 'rule', title: 'Taxed by', value: range.rule ?? 'any rule' },
        { name: 'looked', title: 'Transactions looked at', value: String(looked) },
      ],
      provisional: range.open,
      sections: [...sections, await made(run, range)],
    };
  },
});

/** Reads the range page by page; requests are answered between pages. */
async function hold(s: Needs<'reference' | 'rates'>, run: ReportRun, range: Range) {
  const of = await countRecorded(run.db, range);
  type Delta = 'vatDelta' | 'transactionVatDelta' | 'merchantDelta';
  const summary = new Sums<'currency', 'vatStands' | 'vatNow' | Delta>();
  const byRule = new Sums<'rule' | 'currency', 'taxableDelta' | 'taxDelta'>();
  const byClient = new Sums<'clientId' | 'currency', Delta>();
  const left = new Sums<'reason'>();
  const listed: Of<'id' | 'account' | 'date' | 'currency' | 'amount' | 'vatStands' | 'vatNow' | Delta>[] = [];
  let looked = 0;
  let affected = 0;
  const read = (after: string | null, limit: number) => readRecorded(run.db, range, after, limit);
  for await (const rows of allPages(page, (r) => r.transaction.id, read)) {
    for (const recorded of rows) {
      const a = assess(s, recorded);
      const { transaction: t, stands } = recorded;
      if (!a.after) left.add({ reason: a.reason as string }, {});
      if (!isAffected(a, range)) continue;
      affected++;
      const delta = deltaOf(stands, a.after);
      const figures = {
        vatDelta: delta.vatAmount,
        transactionVatDelta: delta.transactionVat,
        merchantDelta: delta.remainder,
      };
      const { account, currency } = t;
      const vat = { vatStands: plain(stands.vatAmount), vatNow: plain(a.after.vatAmount) };
      summary.add({ currency }, { ...vat, ...figures });
      byClient.add({ clientId: accountWire(t.psp, account), currency }, figures);
      for (const c of a.changes) byRule.add({ rule: c.rule, currency }, { taxableDelta: c.taxable, taxDelta: c.tax });
      if (listed.length < mostListed)
        listed.push({
          id: t.id,
          account,
          date: t.evidence.date,
          currency,
          amount: plain(t.amount),
          ...vat,
          ...figures,
        });
    }
    looked += rows.length;
    run.progress(looked, of + 1);
  }
  const open = (of: { readonly currency: string; readonly account: string | undefined }) =>
    openPath({
      psp: run.psp,
      ...range.days,
      country: range.country,
      taxRule: range.duty ? undefined : range.rule,
      verdict: 'APPROVED',
      ...of,
    });
  const sections = [
    section(summary.rows(), {
      name: 'summary',
      title: 'What would be adjusted',
      note: 'Approved transactions that were not charged back, whose taxes differ from what the rules in force now make of them on the day that decided. Fees stay.',
      columns: [currency, transactions, ...changes, ...deltas],
      open: ({ currency }) => open({ currency, account: range.only }),
    }),
    section(byRule.rows(), {
      name: 'byRule',
      title: 'By rule',
      columns: [
        text('rule', 'Rule'),
        currency,
        transactions,
        money('taxableDelta', 'Taxable, difference'),
        money('taxDelta', 'Tax, difference'),
      ],
    }),
    section(byClient.rows(), {
      name: 'byClient',
      title: 'By client',
      note: 'The way opens to all approved transactions of these days; those that differ stand below.',
      columns: [text('clientId', 'Client'), currency, transactions, ...deltas],
      open: (c) => open({ currency: c.currency, account: accountFromWire(c.clientId) }),
    }),
    section(listed, {
      name: 'transactions',
      title: 'Transactions',
      note: affected > listed.length ? said`The first ${listed.length} of ${affected}.` : said`All ${affected}.`,
      columns: [
        text('transactionId', 'Transaction', (t) => toWire('transaction', t.id)),
        clientId(run.psp),
        date('date', 'Date'),
        currency,
        money('amount', 'Amount'),
        ...changes,
        ...deltas,
      ],
      open: (t) => `/v1/transaction/${toWire('transaction', t.id)}`,
    }),
    section(left.rows(), {
      name: 'left',
      title: 'Without an answer',
      note: 'The rules in force now have none for these: they would stay as they are.',
      columns: [text('reason', 'Reason'), transactions],
    }),
  ];
  return { looked, sections };
}

const made = async (run: ReportRun, range: Range): Promise<SaidSection> =>
  section(await sumAdjustments(run.db, range), {
    name: 'adjustments',
    title: 'Adjustments made',
    note: 'Of transactions of these days, by the day they were made.',
    columns: [
      date('madeOn', 'Made on', (r) => r.madeOn.slice(0, 10)),
      text('dataset', 'Rules'),
      currency,
      text('reason', 'Reason'),
      count('adjustments', 'Adjustments', (r) => r.n),
      money('vatDelta', 'Tax, difference', (r) => plain(r.vat)),
      money('transactionVatDelta', 'Tax on fee, difference', (r) => plain(r.transactionVat)),
      money('merchantDelta', 'Merchant or net, difference', (r) => plain(r.remainder)),
    ],
  });
