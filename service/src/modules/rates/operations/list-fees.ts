import { toWire } from '../../../core/ids.ts';
import { Named, type Needs, Nullable, operation, Type } from '../../kernel/operation.ts';

const Texts = (description: string) => Type.Array(Type.String(), { description });

export const listFees = operation({
  id: 'listFees',
  method: 'GET',
  path: '/v1/admin/fee',
  tag: 'Rates',
  area: 'administration',
  summary: 'Fee rows in force',
  audience: ['operator'],
  content: Named('FeeList', 'All fee rows in force.', {
    items: Type.Array(
      Named('Fee', 'A fee row in force.', {
        feeId: Type.String(),
        operations: Texts('Operations the row applies to; all if empty.'),
        classifications: Texts('Classifications the row applies to; all if empty.'),
        countries: Texts('Countries the row applies to; all if empty.'),
        currency: Type.Optional(Type.String({ description: 'Currency the row applies to.' })),
        percent: Type.String({ description: 'Percentage of the gross amount.' }),
        fixed: Type.Optional(Type.String({ description: 'Added to the percentage.' })),
        min: Type.Optional(Type.String({ description: 'Lowest fee.' })),
        max: Type.Optional(Type.String({ description: 'Highest fee.' })),
        validFrom: Type.String({ description: 'First day of the row.' }),
        validTo: Nullable(Type.String(), 'First day after the row; null while it is in force.'),
        pspId: Nullable(Type.String(), 'PSP the row applies to; null: all.'),
      }),
    ),
  }),
  async handle(_, s: Needs<'rates'>) {
    const items = s.rates.fees.rules.map(({ psp, ...r }) => ({ ...r, pspId: psp ? toWire('psp', psp) : null }));
    return { message: 'fees', content: { items } };
  },
});
