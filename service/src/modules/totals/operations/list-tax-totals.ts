// GET /v1/totals/tax: totals of taxes by rule.
import { Type } from 'typebox';
import type { HasAccounts } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { Money, Named, operation } from '../../kernel/operation.ts';
import { answer, behind, line, query, rowsAt } from '../totals-query.ts';
import { taxTotals } from '../totals-reads.ts';

export const listTaxTotals = operation({
  id: 'listTaxTotals',
  method: 'GET',
  path: '/v1/totals/tax',
  tag: 'Totals',
  summary: 'Totals of taxes by rule',
  description:
    'Taxable amounts and taxes of transactions, wagers and payouts, without the taxes that are due by periodic return.',
  audience: ['psp', 'client'],
  query,
  content: Named('TaxTotals', 'Totals of the requested days.', {
    items: Type.Array(
      Named('TaxTotalsLine', 'Sums of a tax.', { ...line, taxable: Money(), tax: Money(), rows: rowsAt }),
    ),
    entriesBehind: behind,
  }),
  refusals: ['NOT_FOUND'],
  handle: (call, s: Needs<'db'> & HasAccounts) => answer(s, call, 'taxRule', (f, by) => taxTotals(s.db, f, by)),
});
