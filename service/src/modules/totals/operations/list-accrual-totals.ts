import type { HasAccounts } from '../../accounts/index.ts';
import { Money, Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { answer, behind, line, ofTotals, rowsAt } from '../totals-query.ts';
import { accrualTotals } from '../totals-reads.ts';

export const listAccrualTotals = operation({
  ...ofTotals,
  id: 'listAccrualTotals',
  path: '/v1/totals/accrual',
  summary: 'Bases of taxes due by periodic return',
  description:
    'The amounts that wagers and payouts add to the base of each tax on gross gaming revenue, stakes or winnings. A payout reduces gross gaming revenue. The tax itself is computed in the return.',
  content: Named('AccrualTotals', 'Totals of the requested days.', {
    items: Type.Array(
      Named('AccrualTotalsLine', 'Amounts added to the base of a periodic tax.', {
        ...line,
        contribution: Money(),
        rows: rowsAt,
      }),
    ),
    entriesBehind: behind,
  }),
  handle: (call, s: Needs<'db' | 'reference'> & HasAccounts) =>
    answer(s, call, 'taxRule', (f, by) => accrualTotals(s.db, f, by)),
});
