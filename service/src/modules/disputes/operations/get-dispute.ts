import type { Dispute, DisputeEvidence } from '../../../core/dispute.ts';
import { DisputeResource } from '../../../entries/disputes.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { readPersonal } from '../../kernel/subjects.ts';
import { disputeAsked } from '../asked-dispute.ts';
import { disputePlace, disputeResource } from '../dispute-store.ts';

export const getDispute = operation({
  id: 'getDispute',
  method: 'GET',
  path: '/v1/dispute/:disputeId',
  tag: 'Disputes',
  summary: 'A dispute by its id',
  audience: ['psp', 'client'],
  query: Type.Object({
    expand: Type.Optional(
      Type.Enum(['personal'], {
        description: '`personal` adds sealed texts and documents; a text reads `erased` if the customer was erased.',
      }),
    ),
  }),
  content: DisputeResource,
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'subjects'>) {
    const found = await disputeAsked(s, call);
    const shown = call.query.expand === undefined ? found : await opened(s, found);
    return { message: 'dispute found', content: disputeResource(shown) };
  },
});

async function opened(s: Needs<'db' | 'subjects'>, d: Dispute): Promise<Dispute> {
  const read = d.evidence.map(async (e): Promise<DisputeEvidence> => {
    if (e.sealed === null) return e;
    const sent = (await readPersonal(s, { ...d, ...e }, disputePlace(d.id))) as Sent | string | undefined;
    // A text alone: `erased`, or sealed by an earlier version, which left documents in clear.
    return { ...e, ...(typeof sent === 'object' ? sent : { text: sent ?? null }) };
  });
  return { ...d, evidence: await Promise.all(read) };
}

type Sent = Pick<DisputeEvidence, 'text' | 'documents'>;
