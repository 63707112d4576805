// The settlement statement of a month as a report: balanced double-entry postings, the amount payable to each party,
// and the amounts that chargebacks still require them to return.
import type { ReportColumn } from '../../../core/reports/document.ts';
import { type Party, parties } from '../../../core/settlement.ts';
import { isZero } from '../../../core/sums.ts';
import { openPath } from '../../../core/totals/open.ts';
import { accountWire } from '../../../core/transaction.ts';
import type { Needs } from '../../kernel/needs.ts';
import { reportKind } from '../../kernel/report.ts';
import { checkMonth, MonthParameters, monthOfTotals } from '../../totals/index.ts';
import { sumOutstanding } from '../netting-store.ts';
import { agesOf } from '../shown.ts';
import { statements } from '../statement.ts';

const text = (name: string, title: string): ReportColumn => ({ name, title, type: 'text' });
const money = (name: string, title: string): ReportColumn => ({ name, title, type: 'money' });
const partyColumns = {
  TAX_AUTHORITY: { name: 'taxAuthority', title: 'Tax authority' },
  SERVICE: { name: 'service', title: 'Service' },
  MERCHANT: { name: 'merchant', title: 'Merchant' },
  PSP: { name: 'psp', title: 'PSP' },
} as const satisfies Record<Party, { name: string; title: string }>;
const place = [text('clientId', 'Client'), text('countryCode', 'Country'), text('currency', 'Currency')];

export const settlementReport = reportKind({
  name: 'settlement',
  title: 'Settlement statement',
  summary: 'Postings of a month to each party in double entry, amounts payable, and outstanding chargebacks by age.',
  audience: ['psp', 'client', 'operator'],
  parameters: MonthParameters,
  check: checkMonth,
  async run(run, s: Needs<'reference' | 'rates'>) {
    const month = await monthOfTotals(s, run);
    const { psp, account, from, to } = month.filter;
    const all = await statements(run.db, { psp, account, from, to });
    run.progress(1, 2);
    const aged = agesOf(await sumOutstanding(run.db, { psp, account }, new Date(run.now).toISOString()));
    run.progress(2, 2);
    const placeCells = (s: (typeof all)[number]) => [accountWire(psp, s.account), s.country, s.currency];
    const client = account === undefined ? {} : { clientId: accountWire(psp, account) };
    return {
      title: `Settlement statement of ${run.concerned.name}, ${month.period.name}`,
      facts: [
        ...month.facts,
        {
          name: 'balance',
          title: 'Debits less credits',
          value: all.every((s) => isZero(s.balance)) ? '0 in every statement' : 'not zero',
        },
      ],
      provisional: month.provisional,
      sections: [
        {
          name: 'payable',
          title: 'Payable',
          note: 'Parts of approved transactions less what was netted in the month. Chargebacks are not subtracted here: they are netted against later transactions.',
          columns: [
            ...place,
            { name: 'approved', title: 'Transactions', type: 'count' },
            ...parties.map((p) => money(partyColumns[p].name, partyColumns[p].title)),
          ],
          rows: all.map((s) => {
            const open = openPath({
              psp,
              from,
              to,
              account: s.account,
              country: s.country,
              currency: s.currency,
              verdict: 'APPROVED',
            });
            return {
              cells: [...placeCells(s), String(s.approved), ...parties.map((p) => s.payable[p])],
              ...(open === undefined ? {} : { open }),
            };
          }),
        },
        {
          name: 'postings',
          title: 'Postings',
          note: 'Debits equal credits in every statement.',
          columns: [
            ...place,
            text('kind', 'Of'),
            text('account', 'Account'),
            money('debit', 'Debit'),
            money('credit', 'Credit'),
          ],
          rows: all.flatMap((s) =>
            s.postings.map((p) => {
              const { account, country, currency } = s;
              // Nettings have no list.
              const verdict = p.kind === 'NETTED' ? undefined : p.kind;
              const open = openPath({ psp, from, to, account, country, currency, verdict });
              return {
                cells: [...placeCells(s), p.kind, p.account, p.debit, p.credit],
                ...(open === undefined ? {} : { open }),
              };
            }),
          ),
        },
        {
          name: 'outstanding',
          title: 'Chargebacks outstanding when the report was made',
          note: 'Opens to those that are outstanding when it is opened.',
          columns: [
            text('currency', 'Currency'),
            text('party', 'Party'),
            money('outstanding', 'Outstanding'),
            money('days0to30', 'Up to 30 days'),
            money('days31to60', '31 to 60 days'),
            money('days61to90', '61 to 90 days'),
            money('over90', 'Over 90 days'),
          ],
          rows: aged.map((a) => ({
            cells: [
              a.currency,
              a.party,
              a.outstanding,
              a.byAge.days0to30,
              a.byAge.days31to60,
              a.byAge.days61to90,
              a.byAge.over90,
            ],
            open: `/v1/settlement/outstanding?${new URLSearchParams({ currency: a.currency, ...client })}`,
          })),
        },
      ],
    };
  },
});
