// Work on a chargeback that is wrong: dispute it, submit evidence, and record the scheme's decision.
import { Type } from 'typebox';
import { type Dispute, disputeOutcomes, resolved, withEvidence } from '../../../core/dispute.ts';
import { fromWire, toWire } from '../../../core/ids.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import { DisputeResource } from '../../../entries/disputes.ts';
import { need } from '../../../platform/committer.ts';
import { journalRow } from '../../kernel/journal.ts';
import type { Needs } from '../../kernel/needs.ts';
import { operation, Prose, Text } from '../../kernel/operation.ts';
import { recordOnce } from '../../kernel/record-once.ts';
import { expectSubject, sealPersonal } from '../../kernel/subjects.ts';
import { changeDispute } from '../change-dispute.ts';
import { disputeOf, disputePlace, disputeRef, disputeResource, disputeRow, findDisputable } from '../dispute-store.ts';
import { reversal } from '../reversal.ts';
import { disputeAsked } from './list-disputes.ts';

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
    evidenceDueAt: Type.String({
      format: 'date-time',
      description: "The scheme's deadline for evidence, ISO 8601.",
    }),
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
          refuse('STATE_CONFLICT', `the chargeback has a dispute already: ${toWire('dispute', d.id)}, ${d.state}`),
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
              accounts: [],
              rows: [
                disputeRow(dispute),
                journalRow(s, principal, at, {
                  kind: 'dispute.opened',
                  psp,
                  account: found.account,
                  resourceId: dispute.id,
                  version: 1,
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

export const sendEvidence = operation({
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
    const { psp, account, subject } = dispute;
    const at = new Date(call.now).toISOString();
    const person = subject === null ? undefined : need(s.subjects, { psp, subject });
    return changeDispute(s, dispute, at, {
      message: 'evidence sent',
      needs: person ? [person] : [],
      to(facts, before) {
        const key = person && facts(person);
        const sealed = key ? sealPersonal(key, body.text, disputePlace(before.id)) : null;
        const text = person ? null : body.text;
        const { actor: by } = principal;
        return withEvidence({ at, by, text, sealed, documents: body.documents ?? [] })(before);
      },
      writes: (facts, after) => ({
        ...(person ? expectSubject(facts, person) : {}),
        rows: [
          journalRow(s, principal, at, {
            kind: 'dispute.updated',
            psp,
            account,
            resourceId: after.id,
            version: after.version,
            data: disputeResource(after),
            sealed: after.evidence.at(-1)?.sealed ?? null,
            subject,
          }),
        ],
      }),
    });
  },
});

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
    outcome: Type.Enum([...disputeOutcomes]),
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
      to: (_, before) => resolved(body.outcome, body.reason)(before),
      writes(facts, after) {
        const more = reversed?.writes(facts, at);
        return {
          refsHeld: more?.refsHeld ?? [],
          rows: [
            journalRow(s, principal, at, {
              kind: 'dispute.resolved',
              psp: after.psp,
              account: after.account,
              resourceId: after.id,
              version: after.version,
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
