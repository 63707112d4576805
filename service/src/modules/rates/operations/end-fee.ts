import { type Needs, operation, ReasonBody } from '../../kernel/operation.ts';
import { FeeName } from '../rate-fields.ts';
import type { HasRateKeeper } from '../rate-keeper.ts';

export const endFee = operation({
  id: 'endFee',
  method: 'POST',
  path: '/v1/admin/fee/:feeId/end',
  tag: 'Rates',
  area: 'administration',
  summary: 'End a fee row',
  description: 'The row is kept as evidence for the records priced with it.',
  audience: ['operator'],
  body: ReasonBody,
  content: FeeName,
  example: { reason: 'contract ended' },
  refusals: ['NOT_FOUND', 'TWO_PERSONS'],
  async handle({ principal, body, params, now }, s: Needs<'settings' | 'ids' | 'db' | 'committer'> & HasRateKeeper) {
    const feeId = params.feeId ?? '';
    await s.rateKeeper.endFee(s, principal, feeId, body.reason, now);
    return { message: 'fee row ended', content: { feeId } };
  },
});
