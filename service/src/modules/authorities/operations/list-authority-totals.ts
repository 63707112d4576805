import { wireSum } from '../../../core/sums.ts';
import { totalVerdicts } from '../../../core/totals/figures.ts';
import { dayQuery } from '../../kernel/day-filter.ts';
import { Id, Money, Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { countryTaxes } from '../../totals/index.ts';
import { codesIn, ownerFields, owners, readOverseen } from '../overseen.ts';
import { asAuthority } from '../view.ts';

export const listAuthorityTotals = operation({
  id: 'listAuthorityTotals',
  method: 'GET',
  path: '/v1/authority/total',
  tag: 'Authorities',
  summary: 'Totals of the taxes that an authority is responsible for',
  description:
    'Taxable amounts and taxes of its country by account, tax, currency and verdict, over all PSPs. Duties by return on a single payment, such as stamp duty, are in them; taxes on the sums of a period, such as gross gaming revenue, are not. What was charged back is a line of its own (CHARGED_BACK). Records of the last second may be missing.',
  audience: ['operator', 'authority'],
  query: Type.Object({
    ...asAuthority,
    ...dayQuery,
    pspId: Type.Optional(Id('Only of this PSP and its clients.')),
    clientId: Type.Optional(Id('Only of this account.')),
    taxCode: Type.Optional(Type.String({ description: 'Only this tax.', maxLength: 40 })),
  }),
  content: Named('AuthorityTotals', 'Totals of the days.', {
    items: Type.Array(
      Named('AuthorityTotal', 'Sums of a tax.', {
        ...ownerFields,
        taxCode: Type.String(),
        currency: Type.String(),
        verdict: Type.Enum(totalVerdicts),
        count: Type.Integer({ description: 'Times the tax was applied: twice for a sale with tax on its fees too.' }),
        taxable: Money(),
        tax: Money(),
      }),
    ),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { filter, ...read } = await readOverseen(s, call);
    const codes = codesIn(read, call.query.taxCode);
    const lines = filter === undefined ? [] : await countryTaxes(s.db, { ...filter, codes });
    const ownerOf = await owners(s, lines);
    const items = lines.map((l) => ({
      ...ownerOf(l),
      taxCode: l.code,
      currency: l.currency,
      verdict: l.verdict,
      count: l.count,
      taxable: wireSum(l.taxable),
      tax: wireSum(l.tax),
    }));
    return { message: 'totals', content: { items } };
  },
});
