// Records a withdrawal from a customer's gaming account.
import { Type } from 'typebox';
import { movementOperation } from '../movement.ts';

export const withdrawal = movementOperation({
  kind: 'withdrawal',
  spec: '4.11',
  noun: 'withdrawal',
  summary: 'Record a withdrawal from a gaming account',
  description: 'netAmount is what may be disbursed.',
  after: {
    toAddress: Type.Object(
      {},
      {
        description: "The customer's bank details, an object in the caller's own form. Stored sealed.",
        additionalProperties: true,
        examples: [{ bank: 'Equity Bank', accountNumber: '0011223344' }],
      },
    ),
  },
  example: {
    ref: 'gw-1001',
    totalAmount: 1200,
    currency: 'KES',
    customer: { email: 'kip@example.com' },
    toAddress: { bank: 'Equity Bank', accountNumber: '0011223344' },
    countryCode: 'KE',
    transactionFee: 10,
  },
});
