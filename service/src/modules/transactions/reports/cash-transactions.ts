// The report of cash transactions that a country's law wants reported: each at or above the country's figure on its day,
// and the sums of cash by client and day or month for laws that add them up.

import type { CashFigure } from '../../../core/cases/cash-reporting.ts';
import { toWire } from '../../../core/ids.ts';
import { clientId, code, count, date, money, section, text, time } from '../../../core/reports/table.ts';
import { said } from '../../../core/said.ts';
import { loadCashFigures } from '../../../platform/data-files.ts';
import { madeOrRedated } from '../../kernel/made-or-redated.ts';
import { reportKind } from '../../kernel/report.ts';
import { PeriodParameters, periodFacts, readPeriod, widely } from '../../kernel/report-period.ts';

interface Line {
  readonly id: string;
  readonly account: string;
  readonly created_at: string;
  readonly day: string;
  readonly ref: string | null;
  readonly country: string;
  readonly currency: string;
  readonly cash: string;
  readonly figure: string;
}

interface Sum {
  readonly account: string;
  /** The day, or the first of the month. */
  readonly day: string;
  readonly country: string;
  readonly currency: string;
  readonly cash: string;
  readonly transactions: number;
  readonly figure: string;
}

/**
 * Approved transactions with cash in the figure's currency, decided on a day of the period. Methods before cash are read
 * over whole, since callers name them and a name may hold any character.
 */
const found = (which: string) => `SELECT t.*, c.cash, f.figure, f.exceeds, f.per, f.least, t.decided_on AS day
    FROM transactions t
    CROSS JOIN LATERAL (
      SELECT substring(t.request from '"paymentMethods":\\{(?:"(?:[^"\\\\]|\\\\.)*":[0-9.]+,)*"cash":([0-9.]+)')::numeric AS cash
    ) c
    JOIN unnest($5::text[], $6::text[], $7::numeric[], $8::boolean[], $9::text[], $10::date[], $11::date[], $14::numeric[])
      AS f(country, currency, figure, exceeds, per, first, last, least)
      ON f.country = t.country AND f.currency = t.currency AND t.decided_on >= f.first AND t.decided_on < f.last
    WHERE t.psp_id = $1 AND ($2::uuid IS NULL OR t.account_id = $2) AND ${which}
      AND t.decided_on BETWEEN $12::date AND $13::date AND t.status = 'APPROVED' AND c.cash > 0`;
const inCash = `FROM (${madeOrRedated('t.id', [12, 13], [3, 4]).map(found).join(' UNION ALL ')}) t WHERE TRUE`;
const reached = (sum: string) => `(${sum} > figure OR (${sum} = figure AND NOT exceeds))`;

/** Several transactions of a client within a day or month that reach the figure together. */
const sums = (of: string, which: string) =>
  `SELECT * FROM (SELECT t.account_id AS account, ${of} AS day, t.country, t.currency, trim_scale(sum(t.cash))::text AS cash,
     count(*) AS transactions, trim_scale(t.figure)::text AS figure, sum(t.cash) AS total, t.exceeds ${inCash} AND ${which}
     GROUP BY t.account_id, ${of}, t.country, t.currency, t.figure, t.exceeds) d
   WHERE d.transactions > 1 AND (d.total > d.figure::numeric OR (d.total = d.figure::numeric AND NOT d.exceeds))
   ORDER BY d.day, d.country, d.account`;

export const cashTransactionsReport = reportKind({
  name: 'ctr',
  title: 'Cash transactions to report',
  summary:
    "Cash of a month at or above the figure from which a country's law wants it reported: transactions, and sums by client and day or month.",
  audience: ['psp', 'operator'],
  parameters: PeriodParameters,
  read: readPeriod,
  async run(run, _, period) {
    const figures = loadCashFigures().filter(
      (f) => f.from <= period.last && (f.until === null || f.until > period.first),
    );
    const of = (pick: (f: CashFigure) => unknown) => figures.map(pick);
    const values = [
      ...[run.psp, run.only ?? null, ...widely(period)],
      ...[of((f) => f.country), of((f) => f.currency), of((f) => f.figure), of((f) => f.exceeds), of((f) => f.per)],
      ...[of((f) => f.from), of((f) => f.until ?? '9999-12-31'), period.first, period.last, of((f) => f.least ?? '0')],
    ];
    const lines = await run.db.query<Line>(
      `SELECT t.id, t.account_id AS account, t.created_at, t.day, t.ref, t.country, t.currency,
         trim_scale(t.cash)::text AS cash, trim_scale(t.figure)::text AS figure ${inCash} AND ${reached('t.cash')}
       ORDER BY t.created_at, t.id`,
      values,
    );
    run.progress(1, 3);
    const days = await run.db.query<Sum>(sums('t.day', "t.per <> 'MONTH'"), values);
    run.progress(2, 3);
    // A law that adds up a month compares cash paid in that month alone, of transactions that are not too small for it.
    const months = await run.db.query<Sum>(
      sums("date_trunc('month', t.day)::date", "t.per = 'MONTH' AND t.cash >= t.least"),
      values,
    );
    run.progress(3, 3);
    const client = run.only === undefined ? [clientId(run.psp)] : [];
    const compared = [
      text('countryCode', 'Country', (r: { readonly country: string }) => r.country),
      text('currency', 'Currency'),
    ];
    return {
      title: said`Cash to report of ${run.concerned.name}, ${period.name}`,
      facts: periodFacts(run, period),
      provisional: period.open,
      sections: [
        section(lines, {
          name: 'transactions',
          title: 'Transactions',
          note: "Approved transactions whose cash reaches the figure of their country. Cash in another currency than the figure's is not compared.",
          columns: [
            time('recordedAt', 'Recorded', (r) => r.created_at),
            text('transactionId', 'Transaction', (r) => toWire('transaction', r.id)),
            ...client,
            text('ref', 'Ref'),
            ...compared,
            money('cash', 'Cash'),
            money('figure', 'Figure'),
          ],
          open: (r) => `/v1/transaction/${toWire('transaction', r.id)}`,
        }),
        section(days, {
          name: 'days',
          title: 'Days',
          note: 'Several transactions of a client on one day that reach the figure together. Customers are not known here: look at them before you report.',
          columns: [
            date('day', 'Day'),
            ...client,
            ...compared,
            count('transactions', 'Transactions'),
            money('cash', 'Cash'),
            money('figure', 'Figure'),
          ],
        }),
        section(months, {
          name: 'months',
          title: 'Months',
          note: 'Transactions of a client that reach the figure together within a month, for laws that add up months. Transactions below the least amount that a law names are not added up.',
          columns: [
            text('month', 'Month', (r) => r.day.slice(0, 7)),
            ...client,
            ...compared,
            count('transactions', 'Transactions'),
            money('cash', 'Cash'),
            money('figure', 'Figure'),
          ],
        }),
        section(figures, {
          name: 'figures',
          title: 'Figures',
          note: 'Look a law up before you rely on its figure: confidence says how sure it is.',
          columns: [
            ...compared,
            money('figure', 'Figure'),
            code('exceeds', 'Reported', (f: CashFigure) => (f.exceeds ? 'ABOVE' : 'FROM')),
            code('per', 'Per'),
            date('from', 'From'),
            text('law', 'Law'),
            code('confidence', 'Confidence'),
            text('read', 'Read', (f: CashFigure) => f.source.read),
            text('url', 'Read at', (f: CashFigure) => f.source.url ?? ''),
          ],
        }),
      ],
    };
  },
});
