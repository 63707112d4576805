// The settlement statement of a month as a report: balanced double-entry postings, the amount payable to each party,
// and the amounts that chargebacks still require them to return.

import { accountWire } from '../../../core/ids.ts';
import { clientId, code, count, money, section, text } from '../../../core/reports/table.ts';
import { said } from '../../../core/said.ts';
import { type Party, parties } from '../../../core/settlement.ts';
import { isZero, sumOf } from '../../../core/sums.ts';
import { openPath } from '../../../core/totals/open.ts';
import type { Needs } from '../../kernel/needs.ts';
import { reportKind } from '../../kernel/report.ts';
import { PeriodParameters } from '../../kernel/report-period.ts';
import { monthOfTotals, readMonth } from '../../totals/index.ts';
import { sumOutstanding } from '../netting-store.ts';
import { agesOf } from '../shown.ts';
import { statements } from '../statement.ts';

const titles: Readonly<Record<Party, readonly [name: string, title: string]>> = {
  TAX_AUTHORITY: ['taxAuthority', 'Tax authority'],
  SERVICE: ['service', 'Service'],
  MERCHANT: ['merchant', 'Merchant'],
  PSP: ['psp', 'PSP'],
};

/** Kinds of postings whose transactions have a list. */
const listed: ReadonlySet<string> = new Set(['APPROVED', 'CHARGED_BACK', 'REVERSED']);

export const settlementReport = reportKind({
  name: 'settlement',
  title: 'Settlement statement',
  summary: 'Postings of a month to each party in double entry, amounts payable, and outstanding chargebacks by age.',
  audience: ['psp', 'client', 'operator'],
  parameters: PeriodParameters,
  read: readMonth,
  async run(run, s: Needs<'reference' | 'rates'>, period) {
    const month = await monthOfTotals(run, s, period);
    const { psp, account, from, to } = month.filter;
    const all = await statements(run.db, { psp, account, from, to });
    run.progress(1, 2);
    const aged = agesOf(await sumOutstanding(run.db, { psp, account }, new Date(run.now).toISOString()));
    run.progress(2, 2);
    const place = [
      clientId(psp),
      text('countryCode', 'Country', (r: { readonly country: string }) => r.country),
      text('currency', 'Currency'),
    ];
    const client = account === undefined ? {} : { clientId: accountWire(psp, account) };
    return {
      title: said`Settlement statement of ${run.concerned.name}, ${period.name}`,
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
        section(all, {
          name: 'collected',
          title: 'Where the money is',
          note: 'Of approved transactions other than withdrawals. The PSP settles from what was paid through it; cash and vouchers the merchant has, and discounts nobody paid. Paid out is what customers got by withdrawals.',
          columns: [
            ...place,
            money('gross', 'Gross', (s) => sumOf(Object.values(s.collected))),
            money('heldByPsp', 'Held by the PSP', (s) => s.collected.heldByPsp),
            money('cash', 'Cash', (s) => s.collected.cash),
            money('vouchers', 'Vouchers', (s) => s.collected.vouchers),
            money('discounts', 'Discounts', (s) => s.collected.discounts),
            money('paidOut', 'Paid out', (s) => s.paidOut),
          ],
          open: ({ account, country, currency }) =>
            openPath({ psp, from, to, account, country, currency, verdict: 'APPROVED' }),
        }),
        section(all, {
          name: 'payable',
          title: 'Payable',
          note: 'Parts of approved transactions less what was netted in the month and, for the merchant, less what it has already and the whole of withdrawals. A negative amount is owed to the PSP. Chargebacks are not subtracted here: they are netted against later transactions.',
          columns: [
            ...place,
            count('approved', 'Transactions'),
            ...parties.map((p) => money(...titles[p], (s: (typeof all)[number]) => s.payable[p])),
          ],
          open: ({ account, country, currency }) =>
            openPath({ psp, from, to, account, country, currency, verdict: 'APPROVED' }),
        }),
        section(
          all.flatMap(({ account, country, currency, debts }) =>
            debts.map((debt) => ({ account, country, currency, debt })),
          ),
          {
            name: 'debts',
            title: 'Who owes whom',
            columns: [
              ...place,
              code('from', 'Owes', (d) => d.debt.from),
              code('to', 'To', (d) => d.debt.to),
              money('amount', 'Amount', (d) => d.debt.amount),
            ],
            open: ({ debt: _, ...of }) => openPath({ psp, from, to, ...of, verdict: 'APPROVED' }),
          },
        ),
        section(
          all.flatMap(({ account, country, currency, postings }) =>
            postings.map((posting) => ({ account, country, currency, posting })),
          ),
          {
            name: 'postings',
            title: 'Postings',
            note: 'Debits equal credits in every statement.',
            columns: [
              ...place,
              code('kind', 'Of', (p) => p.posting.kind),
              code('account', 'Account', (p) => p.posting.account),
              money('debit', 'Debit', (p) => p.posting.debit),
              money('credit', 'Credit', (p) => p.posting.credit),
            ],
            // Nettings have no list, and payment methods count in approved transactions and chargebacks.
            open: ({ posting: { kind }, ...of }) =>
              openPath({ psp, from, to, ...of, verdict: listed.has(kind) ? kind : undefined }),
          },
        ),
        section(aged, {
          name: 'outstanding',
          title: 'Chargebacks outstanding when the report was made',
          note: 'Opens to those that are outstanding when it is opened.',
          columns: [
            text('currency', 'Currency'),
            code('party', 'Party'),
            money('outstanding', 'Outstanding'),
            money('days0to30', 'Up to 30 days', (a) => a.byAge.days0to30),
            money('days31to60', '31 to 60 days', (a) => a.byAge.days31to60),
            money('days61to90', '61 to 90 days', (a) => a.byAge.days61to90),
            money('over90', 'Over 90 days', (a) => a.byAge.over90),
          ],
          open: (a) => `/v1/settlement/outstanding?${new URLSearchParams({ currency: a.currency, ...client })}`,
        }),
      ],
    };
  },
});
