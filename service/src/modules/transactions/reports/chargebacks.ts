// The report of chargebacks: amounts to subtract from later settlements, by currency and client, line by line.
import { Type } from 'typebox';
import { toWire } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import type { ReportColumn, ReportRow } from '../../../core/reports/document.ts';
import { accountWire } from '../../../core/transaction.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type ReportRun, reportKind } from '../../kernel/report.ts';
import { PeriodParameter, periodFacts, periodOf, readPeriod, timeZoneOf, widely } from '../../kernel/report-period.ts';

const amounts: readonly ReportColumn[] = [
  { name: 'amount', title: 'Amount', type: 'money' },
  { name: 'vatAmount', title: 'Tax', type: 'money' },
  { name: 'processingFee', title: 'Processing fee', type: 'money' },
  { name: 'transactionFee', title: 'Transaction fee', type: 'money' },
  { name: 'transactionVAT', title: 'Tax on fee', type: 'money' },
  { name: 'merchantAmount', title: 'Merchant', type: 'money' },
];
const currency: ReportColumn = { name: 'currency', title: 'Currency', type: 'text' };
const client: ReportColumn = { name: 'clientId', title: 'Client', type: 'text' };
const count: ReportColumn = { name: 'chargebacks', title: 'Chargebacks', type: 'count' };

/**
 * Columns of the transaction `t`, in order. A charged-back transaction does not change: its amounts are those the
 * chargeback returns, written as in its reply.
 */
const parts = [
  't.amount',
  ...['vat_amount', 'processing_fee', 'transaction_fee', 'transaction_vat', 'remainder'].map(
    (c) => `trim_scale(t.${c})`,
  ),
];
const inTime = `FROM chargebacks c JOIN transactions t ON t.psp_id = c.psp_id AND t.id = c.transaction_id
  WHERE c.psp_id = $1 AND ($2::uuid IS NULL OR c.account_id = $2) AND c.created_at >= $3 AND c.created_at < $4`;
/** A chargeback's day is the date in its transaction's country, as in totals and settlement. */
const from = `${inTime} AND (c.created_at AT TIME ZONE coalesce(
    (SELECT z.zone FROM unnest($7::text[], $8::text[]) AS z(country, zone) WHERE z.country = t.country), 'UTC'
  ))::date BETWEEN $5::date AND $6::date`;
const listed = (sum: boolean) => `ARRAY[${parts.map((p) => `${sum ? `sum(${p})` : p}::text`).join(', ')}] AS amounts`;

interface Total {
  readonly currency: string;
  readonly n: number;
  /** Decimal text, in the order of the columns. */
  readonly amounts: readonly string[];
}
interface Line extends Omit<Total, 'n'> {
  readonly id: string;
  readonly account_id: string;
  readonly transaction_id: string;
  readonly created_at: string;
  readonly ref: string | null;
}

export const chargebacksReport = reportKind({
  name: 'chargebacks',
  title: 'Chargebacks',
  summary: 'Chargebacks recorded in a month, with the amounts to subtract, by currency and client and one by one.',
  audience: ['psp', 'client', 'operator'],
  parameters: Type.Object({ period: PeriodParameter }),
  check(asked, s: Needs<'reference' | 'rates'>) {
    const period = readPeriod(s, asked, asked.parameters.period);
    return period instanceof Refusal ? period : undefined;
  },
  async run(run, s: Needs<'reference' | 'rates'>) {
    const period = periodOf(s, run, run.parameters.period);
    const about = [run.psp, run.only ?? null, ...widely(period)];
    const found = await run.db.query<{ country: string }>(`SELECT DISTINCT t.country ${inTime}`, about);
    const countries = found.map((r) => r.country);
    const zones = countries.map((c) => timeZoneOf(s, c));
    const values = [...about, period.first, period.last, countries, zones];
    const totals = await run.db.query<Total>(
      `SELECT t.currency, count(*) AS n, ${listed(true)} ${from} GROUP BY t.currency ORDER BY t.currency`,
      values,
    );
    run.progress(1, 3);
    const clients = run.only === undefined ? [await byClient(run, values)] : [];
    run.progress(2, 3);
    const rows = await run.db.query<Line>(
      `SELECT c.id, c.account_id, c.transaction_id, c.created_at, t.ref, t.currency, ${listed(false)} ${from}
       ORDER BY c.created_at, c.id`,
      values,
    );
    run.progress(3, 3);
    return {
      title: `Chargebacks of ${run.concerned.name}, ${period.name}`,
      facts: periodFacts(run, period),
      provisional: period.open,
      sections: [
        {
          name: 'byCurrency',
          title: 'By currency',
          note: 'Amounts of the transactions that were charged back, and of their parts, to be subtracted from what is settled later.',
          columns: [currency, count, ...amounts],
          rows: totals.map((r) => ({ cells: [r.currency, String(r.n), ...r.amounts] })),
          chart: { kind: 'bar', label: 'currency', values: ['chargebacks'] },
        },
        ...clients,
        {
          name: 'chargebacks',
          title: 'Chargebacks',
          columns: [
            { name: 'recordedAt', title: 'Recorded', type: 'time' },
            { name: 'chargebackId', title: 'Chargeback', type: 'text' },
            { name: 'transactionId', title: 'Transaction', type: 'text' },
            ...(run.only === undefined ? [client] : []),
            { name: 'ref', title: 'Ref', type: 'text' },
            currency,
            ...amounts,
          ],
          rows: rows.map((r): ReportRow => {
            const transaction = toWire('transaction', r.transaction_id);
            return {
              cells: [
                r.created_at,
                toWire('chargeback', r.id),
                transaction,
                ...(run.only === undefined ? [accountWire(run.psp, r.account_id)] : []),
                r.ref,
                r.currency,
                ...r.amounts,
              ],
              open: `/v1/transaction/${transaction}`,
            };
          }),
        },
      ],
    };
  },
});

async function byClient(run: ReportRun, values: readonly unknown[]) {
  const rows = await run.db.query<Total & { account_id: string }>(
    `SELECT c.account_id, t.currency, count(*) AS n, ${listed(true)} ${from}
     GROUP BY c.account_id, t.currency ORDER BY t.currency, n DESC, c.account_id`,
    values,
  );
  return {
    name: 'byClient',
    title: 'By client',
    columns: [client, currency, count, ...amounts],
    rows: rows.map((r) => ({
      cells: [accountWire(run.psp, r.account_id), r.currency, String(r.n), ...r.amounts],
    })),
  };
}
