// Wire forms of baskets.
import { goodsCategories } from '../../core/tax/supplies.ts';
import { Basket } from '../../entries/baskets.ts';
import { AmountOrZero, Exact, Named, Text, Type } from '../kernel/operation.ts';

export { Basket };

// Spec 2.6
export const BasketItem = Named('BasketItem', 'A line of a basket.', {
  sku: Text('Stock keeping unit.', 200),
  title: Text('Title.', 400),
  description: Type.String({ maxLength: 2000, 'x-characters': 'prose', description: 'Description of the goods.' }),
  quantity: Exact({ description: 'Quantity, in any unit.', minimum: 0 }),
  price: AmountOrZero('Unit price.'),
  subTotal: AmountOrZero('Line total.'),
  vatExempt: Type.Optional(Type.Boolean({ description: 'The line bears no VAT.' })),
  category: Type.Optional(
    Type.Enum(goodsCategories, {
      description:
        'Kind of goods or services, if the line is not of what the merchant mostly sells; `other` bears the standard rate.',
    }),
  ),
});

const { basketId, vatAmount, originalBasketData, status, transactionId } = Basket.properties;
export const SubmittedBasket = Named(
  'SubmittedBasket',
  'The basket that was recorded, with its VAT and its transaction.',
  { basketId, vatAmount, originalBasketData, status, transactionId },
);
