import { disputeOutcomes, resolved } from '../../../core/dispute.ts';
import { DisputeResource } from '../../../entries/disputes.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import { type Needs, operation, Prose, Type } from '../../kernel/operation.ts';
import { disputeAsked } from '../asked-dispute.ts';
import { changeDispute } from '../change-dispute.ts';
import { disputeResource } from '../dispute-store.ts';
import { reversal } from '../reversal.ts';

export const resolveDispute = operation({
  id: 'resolveDispute',
  method: 'POST',
  path: '/v1/dispute/:disputeId/resolve',
  tag: 'Disputes',
  summary: 'Record what the scheme decided',
  description:
    'WON reverses the chargeback on that day: its amounts are due again, nothing stays outstanding, and its nettings are released. LOST changes no amount. Both are final.',
  audience: ['psp'],
  body: Type.Object({
    outcome: Type.Enum(disputeOutcomes),
    reason: Prose("The scheme's reason. Recorded in the journal in clear.", 500),
  }),
  content: DisputeResource,
  example: { outcome: 'WON', reason: 'the issuer accepted the proof of delivery' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer' | 'rates'>) {
    const { principal, body } = call;
    const dispute = await disputeAsked(s, call);
    const at = new Date(call.now).toISOString();
    const reversed = body.outcome === 'WON' ? await reversal(s, call, dispute) : undefined;
    return changeDispute(s, dispute, at, {
      message: `dispute resolved: ${body.outcome}`,
      keys: reversed?.keys ?? [],
      needs: reversed?.needs ?? [],
      furtherNeeds: (facts) => reversed?.furtherNeeds(facts) ?? [],
      to: (_, before) => resolved(body.outcome, body.reason)(before),
      writes(facts, after) {
        const more = reversed?.writes(facts, at);
        return {
          refsHeld: more?.refsHeld ?? [],
          refsNew: more?.refsNew ?? [],
          together: more?.together,
          rows: [
            journalRow(s, principal, at, {
              kind: 'dispute.resolved',
              ...about(after),
              data: disputeResource(after),
              evidence: { reason: body.reason },
            }),
            ...(more?.rows ?? []),
          ],
        };
      },
    });
  },
});
