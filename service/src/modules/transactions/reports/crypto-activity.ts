// The report of crypto activity: deposits and withdrawals per asset, client and day.
import { Type } from 'typebox';
import { Refusal } from '../../../core/refusal.ts';
import type { ReportColumn, ReportRow } from '../../../core/reports/document.ts';
import { accountWire } from '../../../core/transaction.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type ReportRun, reportKind } from '../../kernel/report.ts';
import {
  PeriodParameter,
  periodFacts,
  periodOf,
  type ReportPeriod,
  readPeriod,
  widely,
} from '../../kernel/report-period.ts';

const asset: ReportColumn = { name: 'asset', title: 'Asset', type: 'text' };
const counts: readonly ReportColumn[] = [
  { name: 'deposits', title: 'Deposits', type: 'count' },
  { name: 'withdrawals', title: 'Withdrawals', type: 'count' },
];
const sums: readonly ReportColumn[] = [
  { name: 'deposited', title: 'Deposited', type: 'decimal' },
  { name: 'withdrawn', title: 'Withdrawn', type: 'decimal' },
  { name: 'net', title: 'Net', type: 'decimal' },
  { name: 'fees', title: 'Fees', type: 'decimal' },
];

const one = (kind: string, what: string) => `FILTER (WHERE kind = '${kind}' AND status = 'APPROVED')${what}`;
const counted = `count(*) ${one('cryptoDeposit', ' AS deposits')}, count(*) ${one('cryptoWithdrawal', ' AS withdrawals')}`;
const sum = (of: string, kind: string) => `coalesce(sum(${of}) ${one(kind, '')}, 0)`;
const summed = `${sum('amount', 'cryptoDeposit')}::text AS deposited, ${sum('amount', 'cryptoWithdrawal')}::text AS withdrawn,
  (${sum('amount', 'cryptoDeposit')} - ${sum('amount', 'cryptoWithdrawal')})::text AS net,
  coalesce(sum(transaction_fee) FILTER (WHERE status = 'APPROVED'), 0)::text AS fees`;

/**
 * By the date in the deciding country's calendar, as in totals and settlement. Ids are created within an hour of their
 * record's time, so they select the months' partitions.
 */
const from = `FROM transactions
  WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND kind IN ('cryptoDeposit', 'cryptoWithdrawal')
    AND created_at >= $3 AND created_at < $4 AND decided_on BETWEEN $5::date AND $6::date
    AND id >= (SELECT uuid_floor($3::timestamptz - interval '1 hour'))
    AND id < (SELECT uuid_floor($4::timestamptz + interval '1 hour'))`;

/** Counts and sums by column name. */
type Figures = Readonly<Record<string, string | number>>;
type OfAsset = Figures & { readonly currency: string };
const figures = (r: Figures, columns: readonly ReportColumn[]) => columns.map((c) => String(r[c.name]));

/** Path of an asset's transactions; only crypto movements have one. */
const rowsOf = (r: OfAsset, { first, last }: ReportPeriod, clientId?: string): string =>
  `/v1/transaction?${new URLSearchParams({
    currency: r.currency,
    dayFrom: first,
    dayTo: last,
    ...(clientId === undefined ? {} : { clientId }),
  })}`;

export const cryptoActivityReport = reportKind({
  name: 'cryptoActivity',
  title: 'Crypto activity',
  summary: 'Approved crypto deposits and withdrawals of a month per asset, client and day.',
  audience: ['psp', 'client', 'operator'],
  parameters: Type.Object({ period: PeriodParameter }),
  check(asked, s: Needs<'reference' | 'rates'>) {
    const period = readPeriod(s, asked, asked.parameters.period);
    return period instanceof Refusal ? period : undefined;
  },
  async run(run, s: Needs<'reference' | 'rates'>) {
    const period = periodOf(s, run, run.parameters.period);
    const values = [run.psp, run.only ?? null, ...widely(period), period.first, period.last];
    const assets = await run.db.query<OfAsset>(
      `SELECT currency, ${counted}, count(*) FILTER (WHERE status = 'DECLINED') AS declined, ${summed} ${from}
       GROUP BY currency ORDER BY currency`,
      values,
    );
    run.progress(1, 3);
    const clients = run.only === undefined ? [await byClient(run, values, period)] : [];
    run.progress(2, 3);
    const days = await byDay(run, values);
    run.progress(3, 3);
    return {
      title: `Crypto activity of ${run.concerned.name}, ${period.name}`,
      facts: periodFacts(run, period),
      provisional: period.open,
      sections: [
        {
          name: 'byAsset',
          title: 'By asset',
          note: 'Amounts in units of the asset, of approved movements; declined ones are only counted.',
          columns: [asset, ...counts, { name: 'declined', title: 'Declined', type: 'count' }, ...sums],
          rows: assets.map(
            (r): ReportRow => ({
              cells: [r.currency, ...figures(r, counts), String(r.declined), ...figures(r, sums)],
              open: rowsOf(r, period),
            }),
          ),
          chart: { kind: 'bar', label: 'asset', values: ['deposits', 'withdrawals'] },
        },
        ...clients,
        days,
      ],
    };
  },
});

async function byClient(run: ReportRun, values: readonly unknown[], period: ReportPeriod) {
  const rows = await run.db.query<OfAsset & { account_id: string }>(
    `SELECT account_id, currency, ${counted}, ${summed} ${from}
     GROUP BY account_id, currency ORDER BY currency, account_id`,
    values,
  );
  const client: ReportColumn = { name: 'clientId', title: 'Client', type: 'text' };
  return {
    name: 'byClient',
    title: 'By client',
    columns: [client, asset, ...counts, ...sums],
    rows: rows.map((r): ReportRow => {
      const clientId = accountWire(run.psp, r.account_id);
      return {
        cells: [clientId, r.currency, ...figures(r, counts), ...figures(r, sums)],
        open: rowsOf(r, period, clientId),
      };
    }),
  };
}

async function byDay(run: ReportRun, values: readonly unknown[]) {
  const rows = await run.db.query<Figures & { day: string }>(
    `SELECT decided_on AS day, ${counted} ${from} GROUP BY day ORDER BY day`,
    values,
  );
  const date: ReportColumn = { name: 'date', title: 'Date', type: 'date' };
  return {
    name: 'byDay',
    title: 'By day',
    note: "Days are those of each country's own calendar; days without any are left out.",
    columns: [date, ...counts],
    rows: rows.map((r) => ({ cells: [r.day, ...figures(r, counts)] })),
    chart: { kind: 'line', label: 'date', values: ['deposits', 'withdrawals'] } as const,
  };
}
