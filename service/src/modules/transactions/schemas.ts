// Schemas that several transaction operations share.
import { Type } from 'typebox';
import { Amount, AmountOrZero, Money, Named, Ref, Text } from '../kernel/operation.ts';

export const Currency = Type.String({
  description: 'ISO 4217 alpha-3 code, any case.',
  minLength: 1,
  maxLength: 12,
  examples: ['NGN'],
});
export const AssetCode = Type.String({
  description: 'ISO 4217 code or known crypto asset symbol, any case.',
  minLength: 1,
  maxLength: 12,
  examples: ['USDT'],
});
export const CountryCode = Type.String({
  description: 'ISO 3166-1 alpha-2 or alpha-3, any case.',
  minLength: 2,
  maxLength: 3,
  examples: ['NG'],
});

// Spec 2.4; types settled as text, of the phone number also as a whole number.
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
  { $id: 'Customer', description: 'The customer. Kept sealed under a key of its own.' },
);

// Spec 2.5: card, vouchers, discounts, cash and any other name.
export const PaymentMethods = Type.Record(
  Type.String({ minLength: 1, maxLength: 40 }),
  AmountOrZero('What is paid this way.'),
  {
    $id: 'PaymentMethods',
    description: 'Amount by payment method: card, vouchers, discounts, cash or any other name.',
    maxProperties: 40,
    examples: [{ card: 100, cash: 7.5 }],
  },
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

export const Amounts = Type.Record(Type.String(), Money('The amount.'), {
  $id: 'Amounts',
  description: 'Amounts by the name of the part: `vatAmount`, `processingFee` and so on.',
});

const Nullable = <T extends Type.TSchema>(t: T) => Type.Union([t, Type.Null()]);

export const Observation = Named('Observation', 'Something odd about what was sent, which is no reason to refuse it.', {
  code: Type.String(),
  field: Type.String(),
  message: Type.String(),
});
export const Observations = Type.Array(Observation);

/** Content of verifyTransactionStatus and of list entries. */
export const TransactionResource = Named('Transaction', 'A transaction: what was asked, its verdict and its split.', {
  transactionId: Type.String(),
  vatAmount: Money(),
  processingFee: Money(),
  merchantAmount: Type.Optional(Money('Of verifyTransaction.')),
  netAmount: Type.Optional(Money('Of deposits and withdrawals.')),
  transactionFee: Money(),
  transactionVAT: Type.Optional(Money('Of verifyTransaction.')),
  status: Type.Enum(['PENDING', 'APPROVED', 'DECLINED'], {
    description:
      'APPROVED or DECLINED once it is verified. PENDING is the transaction of a basket that no verifyTransaction has named yet: nothing is decided and no tax is due.',
  }),
  ref: Nullable(Type.String()),
  type: Type.Enum(['verifyTransaction', 'cryptoDeposit', 'cryptoWithdrawal', 'deposit', 'withdrawal']),
  reason: Nullable(Type.String()),
  totalAmount: Money(),
  currency: Type.String(),
  countryCode: Type.String(),
  clientId: Type.String(),
  recordedBy: Type.String(),
  revision: Type.Integer(),
  basketId: Nullable(Type.String()),
  paymentMethods: Type.Optional(PaymentMethods),
  mcc: Type.Optional(Type.String({ description: 'Merchant category code, as the caller gave it.' })),
  blochainHash: Type.Optional(
    Type.String({ description: 'Hash of the transfer on its chain, as the caller gave it.' }),
  ),
  chargeback: Nullable(
    Named('TransactionChargeback', 'The chargeback of the transaction, where there is one.', {
      id: Type.String(),
      at: Type.String(),
      amounts: Amounts,
    }),
  ),
  observations: Observations,
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
