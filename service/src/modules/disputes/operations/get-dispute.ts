// GET /v1/dispute/:disputeId: a dispute by its id.
import { Type } from 'typebox';
import type { Dispute } from '../../../core/dispute.ts';
import { DisputeResource } from '../../../entries/disputes.ts';
import { type Needs, operation } from '../../kernel/operation.ts';
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
        description: '`personal` adds the sealed texts; they read `erased` if the customer was erased.',
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
  const texts = d.evidence.map((e) =>
    e.sealed === null ? e.text : readPersonal(s, { ...d, ...e }, disputePlace(d.id)),
  );
  const read = (await Promise.all(texts)) as readonly (string | null)[];
  return { ...d, evidence: d.evidence.map((e, i) => ({ ...e, text: read[i] ?? null })) };
}
