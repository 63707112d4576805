// Adjusting entries for transactions taxed by a wrong rule: one chunk per call, so that no call takes long.
import { fromWire, toWire } from '../../../core/ids.ts';
import { orThrow, refuse } from '../../../core/refusal.ts';
import type { Database } from '../../../platform/database.ts';
import { Id, Named, type Needs, operation, Reason, Type } from '../../kernel/operation.ts';
import { oneMayChangeRates } from '../../rates/index.ts';
import { correctPortion } from '../correct.ts';
import { correctionFields, type RangeAsked, rangeOf } from '../range.ts';

/** The store of approvals by two people; proposals depend on corrections, not the reverse. */
interface HasApprovals {
  /** @throws NOT_FOUND, STATE_CONFLICT unless this correction was approved */
  readonly expectApproved: (
    db: Database,
    proposalId: string,
    asked: RangeAsked & { readonly clientId: string },
  ) => Promise<void>;
}

export const correctRates = operation({
  id: 'correctRates',
  method: 'POST',
  path: '/v1/correction',
  tag: 'Rates',
  area: 'administration',
  summary: 'Adjust transactions that were taxed by a wrong rule',
  description:
    'Compares the approved transactions of these days with the rules now in force and records an adjustment for each difference; the transactions do not change. Each call processes a few hundred: while `next` is not null, call again with it as `after`. Repeating a call changes nothing. The report rateCorrection shows in advance what would be adjusted.',
  audience: ['operator'],
  body: Type.Object({
    ...correctionFields,
    reason: Reason,
    after: Type.Optional(Id('`next` of the previous call.')),
    proposalId: Type.Optional(
      Id('The approved proposal of this correction; needed where two people are required for rates.'),
    ),
  }),
  content: Named('RateCorrection', 'Numbers of transactions compared and adjusted.', {
    dataset: Type.String({ description: 'Version of the rules in force.' }),
    looked: Type.Integer({ description: 'Transactions compared.' }),
    adjusted: Type.Integer({ description: 'Number of adjustments made.' }),
    left: Type.Integer({ description: 'Transactions that the current rules do not cover; they are not adjusted.' }),
    next: Type.Union([Type.String(), Type.Null()]),
  }),
  example: {
    clientId: 'psp_01h455vb4pex5vsknk084sn02q',
    countryCode: 'NG',
    from: '2026-10-01',
    to: '2026-10-31',
    rule: 'NG-VAT-STANDARD-2020',
    reason: 'the rate of the Finance Act was overlooked',
  },
  refusals: ['NOT_FOUND', 'UNKNOWN_COUNTRY', 'NO_TAX_RULE', 'TWO_PERSONS', 'STATE_CONFLICT'],
  async handle(
    { principal, body: b, now },
    s: Needs<'settings' | 'clock' | 'ids' | 'db' | 'committer' | 'reference' | 'rates'> & HasApprovals,
  ) {
    if (b.proposalId !== undefined) await s.expectApproved(s.db, b.proposalId, b);
    else oneMayChangeRates(s);
    const range = orThrow(await rangeOf(s, b, now));
    const after = b.after === undefined ? undefined : fromWire('transaction', b.after);
    if (b.after !== undefined && !after)
      throw refuse('FIELD_INVALID', "the field 'after' must be `next` of the call before");
    const done = await correctPortion(s, principal, range, { reason: b.reason, proposalId: b.proposalId }, after);
    return {
      message: done.next === undefined ? 'all of these days were looked at' : 'a portion was looked at; go on after it',
      content: { ...done, next: done.next === undefined ? null : toWire('transaction', done.next) },
    };
  },
});
