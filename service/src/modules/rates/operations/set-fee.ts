import { operation, Reason, Type } from '../../kernel/operation.ts';
import { feeFields, readFee } from '../fee-fields.ts';
import { FeeName, type Uses } from '../rate-fields.ts';

export const setFee = operation({
  id: 'setFee',
  method: 'POST',
  path: '/v1/admin/fee',
  tag: 'Rates',
  area: 'administration',
  summary: 'Add a fee row',
  description: 'The most specific matching row applies: a PSP’s own row before a general one.',
  audience: ['operator'],
  body: Type.Object({ ...feeFields, reason: Reason }),
  content: FeeName,
  example: {
    feeId: 'EXAMPLE-PAY-ZERO-2026',
    operations: ['cryptoDeposit', 'cryptoWithdrawal'],
    percent: '0',
    validFrom: '2026-01-01',
    reason: 'contract of 2026',
  },
  refusals: ['RATES_INVALID', 'NOT_FOUND', 'UNKNOWN_COUNTRY', 'TWO_PERSONS'],
  async handle({ principal, body: b, now }, s: Uses) {
    await s.rateKeeper.addFee(s, principal, await readFee(s, b), b.reason, now);
    return { message: 'fee row added', content: { feeId: b.feeId } };
  },
});
