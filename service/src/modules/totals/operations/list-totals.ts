import type { HasAccounts } from '../../accounts/index.ts';
import { Money, Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { answer, behind, line, ofTotals, rowsAt } from '../totals-query.ts';
import { amountTotals } from '../totals-reads.ts';

export const listTotals = operation({
  ...ofTotals,
  id: 'listTotals',
  path: '/v1/totals',
  summary: 'Totals of amounts and fees',
  description:
    'Transactions by verdict: gross = vat + processingFee + transactionFee + transactionVat + net. CHARGED_BACK has the amounts that chargebacks return, on the day of the chargeback; REVERSED has those due again, on the day the dispute was won. Both kinds of transaction also count in APPROVED. Wagers and payouts (RECORDED) have only gross. `rule` is the fee row.',
  content: Named('Totals', 'Totals of the requested days.', {
    items: Type.Array(
      Named('TotalsLine', 'Sums of amounts and fees.', {
        ...line,
        gross: Money('Sum of the gross amounts.'),
        vat: Money(),
        processingFee: Money(),
        transactionFee: Money(),
        transactionVat: Money(),
        net: Money(),
        discounts: Money('Discounts in gross, which nobody paid.'),
        vouchers: Money('Vouchers in gross, which the PSP does not hold.'),
        cash: Money('Gross amount paid in cash, which the merchant already has.'),
        rows: rowsAt,
      }),
    ),
    entriesBehind: behind,
  }),
  handle: (call, s: Needs<'db' | 'reference'> & HasAccounts) =>
    answer(s, call, 'feeRule', (f, by) => amountTotals(s.db, f, by)),
});
