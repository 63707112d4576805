// Baskets: the resource as returned and journalled, and its entries.
import { basketStates } from '../core/basket-states.ts';
import { entry } from './define.ts';
import { Money, Named, Type } from './schema.ts';
import { Evidence, Observations } from './transactions.ts';

export const Basket = Named('Basket', 'A basket: its lines, its VAT and the transaction it is paid by.', {
  basketId: Type.String(),
  vatAmount: Money(),
  originalBasketData: Type.Object({}, { additionalProperties: true }),
  status: Type.Enum(basketStates),
  transactionId: Type.String(),
  ref: Type.String(),
  totalAmount: Money(),
  currency: Type.String(),
  countryCode: Type.String(),
  clientId: Type.String(),
  lineVat: Type.Array(Money('The VAT of a line.'), {
    description:
      'Taxes of each line as it was submitted, in the order of the lines: VAT, and its share of levies on the payment.',
  }),
  observations: Observations,
  revision: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export const basketEntries = {
  'basket.created/1': entry('A basket was recorded.', { data: Basket, evidence: Evidence }),
  'basket.updated/1': entry('A basket was verified or cancelled with its transaction.', { data: Basket }),
};
