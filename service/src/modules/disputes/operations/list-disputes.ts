// Disputes, newest first, and one by its id.
import { Type } from 'typebox';
import { type Dispute, disputeStates } from '../../../core/dispute.ts';
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { DisputeResource } from '../../../entries/disputes.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, operation } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { readPersonal } from '../../kernel/subjects.ts';
import { disputePlace, disputeResource, findDispute, listDisputes as list } from '../dispute-store.ts';

export const listDisputes = operation({
  id: 'listDisputes',
  method: 'GET',
  path: '/v1/dispute',
  tag: 'Disputes',
  summary: 'List disputes of chargebacks',
  audience: ['psp', 'client'],
  query: Type.Object({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...disputeStates])),
    chargebackId: Type.Optional(Type.String({ maxLength: 64 })),
    clientId: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  content: Page(DisputeResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query: q } = call;
    const { limit, before } = readPage('dispute', q);
    const chargeback = q.chargebackId === undefined ? undefined : fromWire('chargeback', q.chargebackId);
    if (q.chargebackId !== undefined && chargeback === undefined) throw notFound();
    const account = await listedClient(s, call, q.clientId);
    const rows = await list(s.db, { psp: principal.psp, account, chargeback, state: q.state, before, limit });
    return { message: 'disputes', content: page('dispute', rows, limit, disputeResource) };
  },
});

/** The dispute a call names, if the caller may see it. @throws NOT_FOUND */
export async function disputeAsked(s: Needs<'db'>, call: Pick<Call, 'principal' | 'params' | 'onBehalfOf'>) {
  const { principal, onBehalfOf } = call;
  const id = fromWire('dispute', call.params.disputeId ?? '');
  const found = id && (await findDispute(s.db, principal.psp, id));
  if (!found || (principal.kind === 'client' && found.account !== principal.account)) throw notFound();
  if (onBehalfOf !== undefined && found.account !== onBehalfOf) throw notFound();
  return found;
}

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
