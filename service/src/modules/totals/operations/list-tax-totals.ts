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
    'Taxable amounts and taxes of transactions, wagers and payouts, without the taxes that are due by periodic return.',
  content: Named('TaxTotals', 'Totals of the requested days.', {
    items: Type.Array(
      Named('TaxTotalsLine', 'Sums of a tax.', {
        ...line,
        taxCode: Type.Optional(
          Nullable(Type.String(), 'Code of the tax, by rule only; null for a rule that is no longer in force.'),
        ),
        taxable: Money(),
        tax: Money(),
        rows: rowsAt,
      }),
    ),
    entriesBehind: behind,
  }),
  async handle(call, s: Needs<'db' | 'rates'> & HasAccounts) {
    const { message, content } = await answer(s, call, 'taxRule', (f, by) => taxTotals(s.db, f, by));
    const codeOf = (rule: string) => s.rates.book.rule(rule)?.rule.taxCode ?? null;
    const items = content.items.map((l) => (l.rule === undefined ? l : { ...l, taxCode: codeOf(l.rule) }));
    return { message, content: { ...content, items } };
  },
});
