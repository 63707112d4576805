// Records and verifies a crypto deposit before it reaches a user's wallet.
import { Text, Type } from '../../kernel/operation.ts';
import { movementOperation } from '../movement.ts';

export const cryptoDeposit = movementOperation({
  kind: 'cryptoDeposit',
  spec: '4.8',
  noun: 'crypto deposit',
  summary: 'Record and verify a crypto deposit',
  description:
    'The exchange itself is usually exempt. Taxes apply to the fees, and to the value where a country taxes it.',
  // Spec 4.8: misspelled as in the specification.
  before: { blochainHash: Text('Hash of the transfer on its blockchain.', 200) },
  last: {
    fromAddress: Type.Optional(
      Text(
        'Address the assets came from, where it is known. Stored sealed; a hold of the wallet declines the deposit.',
        200,
      ),
    ),
  },
  example: {
    ref: 'dep-1001',
    totalAmount: 1000,
    currency: 'USDT',
    blochainHash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
    customer: { email: 'ada@example.com' },
    countryCode: 'NG',
    transactionFee: 1,
  },
});
