// Schemas that several transaction operations share.
import { Type } from 'typebox';
import { Amount, Money, Named, Ref, Text } from '../kernel/operation.ts';

export const AssetCode = Type.String({
  description: 'ISO 4217 code or known crypto asset symbol, any case.',
  minLength: 1,
  maxLength: 12,
  examples: ['USDT'],
});
// Spec 2.4; the types are fixed as text, except that the phone number may also be a whole number.
export const Customer = Type.Object(
  {
    email: Type.String({ format: 'email', minLength: 3, maxLength: 254 }),
    name: Type.Optional(Text('Full name.', 200)),
    phoneNumber: Type.Optional(
      Type.Unsafe<string>({
        type: ['string', 'integer'],
        description: 'Telephone number; a whole number is taken as its digits.',
        minLength: 1,
        maxLength: 32,
      }),
    ),
  },
  { $id: 'Customer', description: 'The customer. Stored sealed, under a key for this person.' },
);

export const movementFields = {
  ref: Ref(),
  totalAmount: Amount('Gross amount.'),
};

export const SaleReply = Named('Decision', 'The verdict on a sale and its exact split.', {
  transactionId: Type.String(),
  vatAmount: Money(),
  processingFee: Money(),
  merchantAmount: Money(),
  transactionFee: Money(),
  transactionVAT: Money(),
  status: Type.Enum(['APPROVED', 'DECLINED']),
  ref: Type.String(),
});

export const MovementReply = Named('PaymentDecision', 'The verdict on a deposit or a withdrawal and its exact split.', {
  transactionId: Type.String(),
  vatAmount: Money(),
  processingFee: Money(),
  netAmount: Money(),
  status: Type.Enum(['APPROVED', 'DECLINED']),
  ref: Type.String(),
});
