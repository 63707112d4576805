import { withEvidence } from '../../../core/dispute.ts';
import { DisputeResource } from '../../../entries/disputes.ts';
import { need } from '../../../platform/committer.ts';
import { about, journalRow } from '../../kernel/journal.ts';
import { type Needs, operation, Prose, Text, Type } from '../../kernel/operation.ts';
import { expectSubject, sealPersonal } from '../../kernel/subjects.ts';
import { disputeAsked } from '../asked-dispute.ts';
import { changeDispute } from '../change-dispute.ts';
import { disputePlace, disputeResource } from '../dispute-store.ts';

export const sendDisputeEvidence = operation({
  id: 'sendDisputeEvidence',
  method: 'POST',
  path: '/v1/dispute/:disputeId/evidence',
  tag: 'Disputes',
  summary: 'Send evidence for a dispute',
  description:
    "Until the deadline, at most 20 times. If the transaction has a customer (deposits and withdrawals), the text is sealed under that customer's key and erased with it. The text for a sale is stored in clear: do not name people in it.",
  audience: ['psp', 'client'],
  body: Type.Object({
    text: Prose('Statement about the evidence.', 4000),
    documents: Type.Optional(
      Type.Array(Text('Name or address of a document.', 400), { maxItems: 20, description: 'Supporting documents.' }),
    ),
  }),
  content: DisputeResource,
  example: { text: 'signed for on 3 November', documents: ['proof-of-delivery-1001.pdf'] },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'LIMIT_REACHED'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer' | 'subjects'>) {
    const { principal, body } = call;
    const dispute = await disputeAsked(s, call);
    const { psp, subject } = dispute;
    const sent = { text: body.text, documents: body.documents ?? [] };
    const at = new Date(call.now).toISOString();
    const person = subject === null ? undefined : need(s.subjects, { psp, subject });
    return changeDispute(s, dispute, at, {
      message: 'evidence sent',
      needs: person ? [person] : [],
      to(facts, before) {
        const key = person && facts(person);
        const sealed = key ? sealPersonal(key, sent, disputePlace(before.id)) : null;
        const shown = person ? { text: null, documents: [] } : sent;
        return withEvidence({ at, by: principal.actor, ...shown, sealed })(before);
      },
      writes: (facts, after) => ({
        ...(person ? expectSubject(facts, person) : {}),
        rows: [
          journalRow(s, principal, at, {
            kind: 'dispute.updated',
            ...about(after),
            data: disputeResource(after),
            sealed: after.evidence.at(-1)?.sealed ?? null,
            subject,
          }),
        ],
      }),
    });
  },
});
