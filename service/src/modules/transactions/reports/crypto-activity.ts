// The report of crypto activity: deposits and withdrawals per asset, client and day.

import { accountWire } from '../../../core/ids.ts';
import { clientId, count, date, decimal, section, text } from '../../../core/reports/table.ts';
import { said } from '../../../core/said.ts';
import type { Needs } from '../../kernel/needs.ts';
import { reportKind } from '../../kernel/report.ts';
import { openIn, PeriodParameters, periodFacts, readPeriod, widely } from '../../kernel/report-period.ts';

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

interface Counts {
  readonly deposits: number;
  readonly withdrawals: number;
}
interface Sums extends Counts {
  readonly asset: string;
  readonly deposited: string;
  readonly withdrawn: string;
  readonly net: string;
  readonly fees: string;
}
const asset = text('asset', 'Asset');
const counts = [count('deposits', 'Deposits'), count('withdrawals', 'Withdrawals')];
const sums = [
  decimal('deposited', 'Deposited'),
  decimal('withdrawn', 'Withdrawn'),
  decimal('net', 'Net'),
  decimal('fees', 'PSP fees'),
];

export const cryptoActivityReport = reportKind({
  name: 'cryptoActivity',
  title: 'Crypto activity',
  summary: 'Approved crypto deposits and withdrawals of a month per asset, client and day.',
  audience: ['psp', 'client', 'operator'],
  parameters: PeriodParameters,
  read: readPeriod,
  async run(run, s: Needs<'reference' | 'rates'>, month) {
    const values = [run.psp, run.only ?? null, ...widely(month), month.first, month.last];
    const found = await run.db.query<{ country: string }>(`SELECT DISTINCT country ${from}`, values);
    const period = openIn(
      s,
      month,
      found.map((r) => r.country),
      run.now,
    );
    const assets = await run.db.query<Sums & { readonly declined: number }>(
      `SELECT currency AS asset, ${counted}, count(*) FILTER (WHERE status = 'DECLINED') AS declined, ${summed} ${from}
       GROUP BY currency ORDER BY currency`,
      values,
    );
    run.progress(1, 3);
    const byClient =
      run.only === undefined &&
      (await run.db.query<Sums & { readonly account: string }>(
        `SELECT account_id AS account, currency AS asset, ${counted}, ${summed} ${from}
         GROUP BY account_id, currency ORDER BY currency, account_id`,
        values,
      ));
    run.progress(2, 3);
    const days = await run.db.query<Counts & { readonly date: string }>(
      `SELECT decided_on AS date, ${counted} ${from} GROUP BY 1 ORDER BY 1`,
      values,
    );
    run.progress(3, 3);
    /** Path of an asset's transactions; only crypto movements have one. */
    const open = (r: Sums, of: { clientId?: string } = {}) =>
      `/v1/transaction?${new URLSearchParams({ currency: r.asset, dayFrom: period.first, dayTo: period.last, ...of })}`;
    return {
      title: said`Crypto activity of ${run.concerned.name}, ${period.name}`,
      facts: periodFacts(run, period),
      provisional: period.open,
      sections: [
        section(assets, {
          name: 'byAsset',
          title: 'By asset',
          note: 'Amounts in units of the asset, of approved movements; declined ones are only counted.',
          columns: [asset, ...counts, count('declined', 'Declined'), ...sums],
          open: (r) => open(r),
          chart: { kind: 'bar', label: 'asset', values: ['deposits', 'withdrawals'] },
        }),
        ...(byClient
          ? [
              section(byClient, {
                name: 'byClient',
                title: 'By client',
                columns: [clientId(run.psp), asset, ...counts, ...sums],
                open: (r) => open(r, { clientId: accountWire(run.psp, r.account) }),
              }),
            ]
          : []),
        section(days, {
          name: 'byDay',
          title: 'By day',
          note: "Days are those of each country's own calendar; days without any are left out.",
          columns: [date('date', 'Date'), ...counts],
          chart: { kind: 'line', label: 'date', values: ['deposits', 'withdrawals'] },
        }),
      ],
    };
  },
});
