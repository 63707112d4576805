import { wireNumber } from '../../../core/money.ts';
import { Id, Money, Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { howDue, howDueOf, Month, operatorTaxes } from '../../telecom/index.ts';
import { accountIn, codesIn, ownerFields, owners } from '../overseen.ts';
import { readCalls } from '../overseen-calls.ts';
import { asAuthority } from '../view.ts';

export const listAuthorityCallTotals = operation({
  id: 'listAuthorityCallTotals',
  method: 'GET',
  path: '/v1/authority/cdr/total',
  tag: 'Authorities',
  summary: 'Taxes on calls by operator and month',
  description:
    'Newest month first, over all PSPs, for an authority whose view names `cdr`. Whole months of its days alone. Amounts are exact, with more decimals than their currency has. The calls of a line: listAuthorityCalls.',
  audience: ['operator', 'authority'],
  query: Type.Object({
    ...asAuthority,
    pspId: Type.Optional(Id('Only of this PSP and its clients.')),
    clientId: Type.Optional(Id('Only of this operator.')),
    period: Type.Optional(Month('Only calls that count in this month.')),
    taxCode: Type.Optional(Type.String({ description: 'Only this tax.', maxLength: 40 })),
  }),
  content: Named('AuthorityCallTotals', 'Taxes on calls.', {
    items: Type.Array(
      Named('AuthorityCallTotal', 'A tax on the calls of an operator and month.', {
        ...ownerFields,
        period: Type.String({ description: 'Month in which the calls count, YYYY-MM.' }),
        taxCode: Type.String(),
        currency: Type.String({ description: 'Currency of the tax.' }),
        calls: Type.Integer({ description: 'Number of times the tax was applied.' }),
        zero: Type.Integer({ description: 'Number of these times that it was left at zero, for a reason.' }),
        taxable: Money('Taxable amount; 0 for a tax per unit.'),
        tax: Money(),
        ...howDue,
      }),
    ),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { clientId, taxCode } = call.query;
    const account = clientId === undefined ? undefined : accountIn(clientId);
    const read = await readCalls(s, call);
    const codes = read?.rules === undefined ? undefined : [...new Set(codesIn(read, taxCode).values())];
    const lines = read === undefined ? [] : await operatorTaxes(s.db, { ...read, account, codes });
    const ownerOf = await owners(s, lines);
    const items = lines.map((l) => ({
      ...ownerOf(l),
      period: l.period,
      taxCode: l.code,
      currency: l.currency,
      calls: l.records,
      zero: l.zero,
      taxable: wireNumber(l.taxable),
      tax: wireNumber(l.tax),
      ...howDueOf(l.owedBy),
    }));
    return { message: 'taxes on calls', content: { items } };
  },
});
