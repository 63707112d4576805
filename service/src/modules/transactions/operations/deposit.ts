// Records a deposit into a customer's gaming account.
import { movementOperation } from '../movement.ts';

export const deposit = movementOperation({
  kind: 'deposit',
  spec: '4.10',
  noun: 'deposit',
  summary: 'Record a deposit into a gaming account',
  description: 'The deposit itself bears no VAT unless the country taxes deposits; the fees may.',
  example: {
    ref: 'gd-1001',
    totalAmount: 5000,
    currency: 'KES',
    customer: { email: 'kip@example.com', phoneNumber: '+254700000001' },
    countryCode: 'KE',
    transactionFee: 25,
  },
});
