import type { Dispute } from '../../../core/dispute.ts';
import { fromWire, toWire } from '../../../core/ids.ts';
import { notFound, phrase, refuse, said } from '../../../core/refusal.ts';
import { DisputeResource } from '../../../entries/disputes.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import { type Needs, operation, Prose, Text, Time, Type } from '../../kernel/operation.ts';
import { recordOnce } from '../../kernel/record-once.ts';
import { disputeOf, disputeRef, disputeResource, disputeRow, findDisputable } from '../dispute-store.ts';

export const openDispute = operation({
  id: 'openDispute',
  method: 'POST',
  path: '/v1/dispute',
  tag: 'Disputes',
  summary: 'Dispute a chargeback',
  description:
    'The PSP, or the client whose transaction was charged back, may open a dispute, once per chargeback: repeating the call with the same reason and deadline returns the same dispute. Amounts change only when the dispute is won.',
  audience: ['psp', 'client'],
  body: Type.Object({
    chargebackId: Text('The chargeback, as chargeBack returned it.', 64),
    reason: Prose('Why the chargeback is wrong. Recorded in the journal in clear: do not name people.', 500),
    evidenceDueAt: Time("The scheme's deadline for evidence, ISO 8601."),
  }),
  content: DisputeResource,
  example: {
    chargebackId: 'chb_01h455vb4pex5vsknk084sn02q',
    reason: 'the goods were delivered and signed for',
    evidenceDueAt: '2027-01-15T12:00:00Z',
  },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  async handle({ principal, onBehalfOf, body, now }, s: Needs<'ids' | 'db' | 'committer'>) {
    const { psp } = principal;
    const chargeback = fromWire('chargeback', body.chargebackId);
    const found = chargeback && (await findDisputable(s.db, psp, chargeback));
    if (!found || (principal.kind === 'client' && found.account !== principal.account)) throw notFound();
    if (onBehalfOf !== undefined && onBehalfOf !== found.account) throw notFound();
    const at = new Date(now).toISOString();
    const evidenceDueAt = new Date(body.evidenceDueAt).toISOString();
    const key = disputeRef({ psp, account: found.account, chargeback });
    return s.committer.submit(
      recordOnce({
        key,
        held: disputeOf,
        needs: [],
        equal: (d) => d.reason === body.reason && d.evidenceDueAt === evidenceDueAt,
        conflict: (d) =>
          refuse(
            'STATE_CONFLICT',
            said`the chargeback has a dispute already: ${toWire('dispute', d.id)}, ${phrase(d.state)}`,
          ),
        ready: () => undefined,
        replay: (d) => ({ message: 'chargeback disputed before', content: disputeResource(d) }),
        record() {
          if (evidenceDueAt <= at)
            return refuse('FIELD_INVALID', "the field 'evidenceDueAt' must be later than the moment of the call");
          const dispute: Dispute = {
            psp,
            id: s.ids.next(),
            account: found.account,
            chargeback,
            transaction: found.transaction,
            reason: body.reason,
            evidenceDueAt,
            state: 'OPEN',
            evidence: [],
            outcomeReason: null,
            openedBy: principal.actor,
            subject: found.subject,
            version: 1,
            createdAt: at,
            updatedAt: at,
          };
          const content = disputeResource(dispute);
          return {
            id: dispute.id,
            reply: { message: 'chargeback disputed', content },
            writes: {
              rows: [
                disputeRow(dispute),
                journalRow(s, principal, at, {
                  kind: 'dispute.opened',
                  ...about(dispute),
                  data: content,
                  evidence: { reason: body.reason },
                }),
              ],
            },
          };
        },
      }),
    );
  },
});
