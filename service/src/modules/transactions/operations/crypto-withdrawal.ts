// Records and verifies a crypto withdrawal.
import { Text } from '../../kernel/operation.ts';
import { movementOperation } from '../movement.ts';

export const cryptoWithdrawal = movementOperation({
  kind: 'cryptoWithdrawal',
  spec: '4.9',
  noun: 'crypto withdrawal',
  summary: 'Record and verify a crypto withdrawal',
  description: 'Like cryptoDeposit, with the address the assets go to.',
  // Spec 4.8, 4.9: blochainHash is misspelled as in the specification.
  before: { blochainHash: Text('Hash of the transfer on its blockchain.', 200) },
  // Spec 4.9: the fields of 4.8 plus toAddress.
  last: { toAddress: Text('Address the assets are sent to.', 200) },
  example: {
    ref: 'wd-1001',
    totalAmount: 250.5,
    currency: 'USDT',
    blochainHash: '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b',
    customer: { email: 'ada@example.com' },
    toAddress: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE',
    countryCode: 'NG',
    transactionFee: 1,
  },
});
