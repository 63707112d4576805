import { isDueByReturn } from '../../../core/tax/duty.ts';
import type { HasAccounts } from '../../accounts/index.ts';
import { Money, Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';
import { answer, behind, line, ofTotals, rowsAt } from '../totals-query.ts';
import { taxTotals } from '../totals-reads.ts';

export const listTaxTotals = operation({
  ...ofTotals,
  id: 'listTaxTotals',
  path: '/v1/totals/tax',
  summary: 'Totals of taxes by rule',
  description:
    'Taxable amounts and taxes of transactions, wagers and payouts, with duties by return on single payments (`BY_RETURN`) and without taxes on the sums of a period, such as gross gaming revenue.',
  content: Named('TaxTotals', 'Totals of the requested days.', {
    items: Type.Array(
      Named('TaxTotalsLine', 'Sums of a tax.', {
        ...line,
        taxCode: Type.Optional(
          Nullable(Type.String(), 'Code of the tax, by rule only; null for a rule that is no longer in force.'),
        ),
        method: Type.Optional(
          Type.Enum(['BY_RETURN'], {
            description: 'By rule only: no part of the amounts, owed by a return of the period.',
          }),
        ),
        taxable: Money(),
        tax: Money(),
        rows: rowsAt,
      }),
    ),
    entriesBehind: behind,
  }),
  async handle(call, s: Needs<'db' | 'rates' | 'reference'> & HasAccounts) {
    const { message, content } = await answer(s, call, 'taxRule', (f, by) => taxTotals(s.db, f, by));
    const items = content.items.map((l) => {
      if (l.rule === undefined) return l;
      const rule = s.rates.book.rule(l.rule)?.rule;
      const method = rule && isDueByReturn(rule) ? { method: 'BY_RETURN' as const } : {};
      return { ...l, taxCode: rule?.taxCode ?? null, ...method };
    });
    return { message, content: { ...content, items } };
  },
});
