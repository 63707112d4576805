// The report of chargebacks: amounts to subtract from later settlements, by currency and client, line by line.

import { toWire } from '../../../core/ids.ts';
import { clientId, count, money, section, text, time } from '../../../core/reports/table.ts';
import { said } from '../../../core/said.ts';
import type { Needs } from '../../kernel/needs.ts';
import { reportKind } from '../../kernel/report.ts';
import { openIn, PeriodParameters, periodFacts, readPeriod, timeZoneOf, widely } from '../../kernel/report-period.ts';

/**
 * Amounts with their SQL over the transaction `t`. A charged-back transaction does not change: its amounts are those the
 * chargeback returns, written as in its reply.
 */
const parts = [
  ['amount', 'Amount', 'trim_scale(t.amount)'],
  ['vatAmount', 'Tax', 'trim_scale(t.vat_amount)'],
  ['processingFee', 'Processing fee', 'trim_scale(t.processing_fee)'],
  ['transactionFee', 'Transaction fee', 'trim_scale(t.transaction_fee)'],
  ['transactionVAT', 'Tax on fee', 'trim_scale(t.transaction_vat)'],
  ['merchantAmount', 'Merchant', 'trim_scale(t.remainder)'],
] as const;
const amounts = parts.map(([name, title]) => money(name, title));
const each = parts.map(([name, , sql]) => `${sql}::text AS "${name}"`).join(', ');
const summed = `count(*) AS chargebacks, ${parts.map(([name, , sql]) => `sum(${sql})::text AS "${name}"`).join(', ')}`;
const inTime = `FROM chargebacks c JOIN transactions t ON t.psp_id = c.psp_id AND t.id = c.transaction_id
  LEFT JOIN disputes d ON d.psp_id = c.psp_id AND d.chargeback_id = c.id AND d.state = 'WON'
  WHERE c.psp_id = $1 AND ($2::uuid IS NULL OR c.account_id = $2) AND c.created_at >= $3 AND c.created_at < $4`;
/** A dispute that was won is not changed again. */
const reversedInTime = `FROM disputes d JOIN transactions t ON t.psp_id = $1 AND t.id = d.transaction_id
  WHERE d.psp_id = $1 AND d.state = 'WON' AND ($2::uuid IS NULL OR d.account_id = $2)
    AND d.updated_at >= $3 AND d.updated_at < $4`;
/** The day of a chargeback, and of its reversal, is the date in its transaction's country, as in totals and settlement. */
const onDays = (moment: string) => `AND (${moment} AT TIME ZONE coalesce(
    (SELECT z.zone FROM unnest($7::text[], $8::text[]) AS z(country, zone) WHERE z.country = t.country), 'UTC'
  ))::date BETWEEN $5::date AND $6::date`;
const from = `${inTime} ${onDays('c.created_at')}`;

type Amounts = { readonly currency: string } & Readonly<Record<(typeof parts)[number][0], string>>;
type Total = Amounts & { readonly chargebacks: number };
type Line = Amounts & {
  readonly id: string;
  readonly account: string;
  readonly transaction_id: string;
  readonly created_at: string;
  readonly reversed_at: string | null;
  readonly ref: string | null;
};

export const chargebacksReport = reportKind({
  name: 'chargebacks',
  title: 'Chargebacks',
  summary: 'Chargebacks recorded in a month, with the amounts they return, by currency and client and one by one.',
  audience: ['psp', 'client', 'operator'],
  parameters: PeriodParameters,
  read: readPeriod,
  async run(run, s: Needs<'reference' | 'rates'>, month) {
    const about = [run.psp, run.only ?? null, ...widely(month)];
    const found = await run.db.query<{ country: string }>(
      `SELECT t.country ${inTime} UNION SELECT t.country ${reversedInTime}`,
      about,
    );
    const countries = found.map((r) => r.country);
    const period = openIn(s, month, countries, run.now);
    const zones = countries.map((c) => timeZoneOf(s, c));
    const values = [...about, period.first, period.last, countries, zones];
    const totals = await run.db.query<Total>(
      `SELECT t.currency, ${summed} ${from} GROUP BY t.currency ORDER BY t.currency`,
      values,
    );
    run.progress(1, 3);
    const client = run.only === undefined ? [clientId(run.psp)] : [];
    const sums = [text('currency', 'Currency'), count('chargebacks', 'Chargebacks'), ...amounts];
    const byClient =
      client.length > 0 &&
      (await run.db.query<Total & { account: string }>(
        `SELECT c.account_id AS account, t.currency, ${summed} ${from}
       GROUP BY c.account_id, t.currency ORDER BY t.currency, chargebacks DESC, c.account_id`,
        values,
      ));
    run.progress(2, 3);
    const rows = await run.db.query<Line>(
      `SELECT c.id, c.account_id AS account, c.transaction_id, c.created_at, d.updated_at AS reversed_at, t.ref, t.currency, ${each} ${from}
       ORDER BY c.created_at, c.id`,
      values,
    );
    const reversed = await run.db.query<Total>(
      `SELECT t.currency, ${summed} ${reversedInTime} ${onDays('d.updated_at')} GROUP BY t.currency ORDER BY t.currency`,
      values,
    );
    run.progress(3, 3);
    return {
      title: said`Chargebacks of ${run.concerned.name}, ${period.name}`,
      facts: periodFacts(run, period),
      provisional: period.open,
      sections: [
        section(totals, {
          name: 'byCurrency',
          title: 'By currency',
          note: 'Amounts of the transactions that were charged back, and of their parts. Cash, vouchers and discounts are in the merchant’s part and are not subtracted from what is settled later: the report settlement has what is outstanding. What was reversed is in them, and stands below in the month of its reversal.',
          columns: sums,
          chart: { kind: 'bar', label: 'currency', values: ['chargebacks'] },
        }),
        ...(byClient
          ? [section(byClient, { name: 'byClient', title: 'By client', columns: [...client, ...sums] })]
          : []),
        section(reversed, {
          name: 'reversed',
          title: 'Reversed in the month',
          note: 'Chargebacks of whatever month whose dispute was won in this one: nothing of them is to be subtracted any more.',
          columns: sums,
        }),
        section(rows, {
          name: 'chargebacks',
          title: 'Chargebacks',
          columns: [
            time('recordedAt', 'Recorded', (r) => r.created_at),
            time('reversedAt', 'Reversed', (r) => r.reversed_at),
            text('chargebackId', 'Chargeback', (r) => toWire('chargeback', r.id)),
            text('transactionId', 'Transaction', (r) => toWire('transaction', r.transaction_id)),
            ...client,
            text('ref', 'Ref'),
            text('currency', 'Currency'),
            ...amounts,
          ],
          open: (r) => `/v1/transaction/${toWire('transaction', r.transaction_id)}`,
        }),
      ],
    };
  },
});
