// Changes of rates by two people: one proposes, another approves.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { exactJson } from '../../../core/json.ts';
import { notFound, Refusal, refuse } from '../../../core/refusal.ts';
import { proposalKinds, proposalStates } from '../../../records/proposals.ts';
import { correctionFields, rangeOf } from '../../corrections/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, Extended, Named, operation, Prose } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { documents, feeFields, type HasRateKeeper, isLiveFee, notLive, readFee } from '../../rates/index.ts';
import { correctionSubject, correctionText } from '../approved-correction.ts';
import { approve, reject } from '../decide.ts';
import { ProposalResource, proposalResource } from '../proposal-resource.ts';
import { findProposal, listProposals as list } from '../proposal-store.ts';
import { propose } from '../propose.ts';

/**
 * Two people with these roles change rates together; only an administrator may do it alone, with loadTax and setFee.
 */
const people = ['administrator', 'reviewer'] as const;
const Reason = Prose('Reason; recorded in the journal.', 500);
const Document = (description: string) => Type.Object({}, { additionalProperties: true, description });

export const openProposal = operation({
  id: 'openProposal',
  method: 'POST',
  path: '/v1/admin/proposal',
  tag: 'Administration',
  summary: 'Propose a change of rates',
  description:
    "One of: a country's tax rules (`country`, as in loadTax), a fee row (`fee`, as in setFee), the end of a fee row (`feeEnd`), or a correction (`correction`, as in correctRates, which is then called with the `proposalId`). The proposal is checked at once and takes effect only when another person approves it. There is at most one open proposal per country, fee row or correction.",
  audience: ['operator'],
  roles: people,
  largeBody: true,
  body: Type.Object({
    reason: Reason,
    country: Type.Optional(Document('A country file as service/data/tax/README.md describes.')),
    fee: Type.Optional(Named('ProposedFee', 'A fee row to be added.', feeFields)),
    feeEnd: Type.Optional(
      Named('ProposedFeeEnd', 'A fee row to be ended.', { feeId: Type.String({ minLength: 1, maxLength: 80 }) }),
    ),
    correction: Type.Optional(Named('ProposedCorrection', 'Transactions to be adjusted.', correctionFields)),
  }),
  content: ProposalResource,
  example: {
    reason: 'contract of 2027',
    fee: { feeId: 'EXAMPLE-PAY-2027', percent: '1.5', validFrom: '2027-01-01' },
  },
  refusals: ['RATES_INVALID', 'NOT_FOUND', 'UNKNOWN_COUNTRY', 'STATE_CONFLICT', 'TWO_PERSONS'],
  async handle(
    { principal, body: b, now },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference' | 'rates'> & HasRateKeeper,
  ) {
    if ([b.country, b.fee, b.feeEnd, b.correction].filter((x) => x !== undefined).length !== 1)
      throw refuse('FIELD_INVALID', "a proposal has one of the fields 'country', 'fee', 'feeEnd' and 'correction'");
    if (s.settings.requireTwoPersons.includes('rates') && !principal.session)
      throw refuse('TWO_PERSONS', 'proposals are made by people who signed in; REQUIRE_TWO_PERSONS asks for it');
    if (b.fee !== undefined) {
      const rule = await readFee(s, b.fee);
      await s.rateKeeper.checkFee(rule);
      const content = JSON.stringify(rule);
      return propose(s, principal, { kind: 'FEE', subject: rule.feeId }, content, b.reason, now);
    }
    if (b.feeEnd !== undefined) {
      const { feeId } = b.feeEnd;
      if (!(await isLiveFee(s.db, feeId))) throw notLive(feeId);
      return propose(s, principal, { kind: 'FEE_END', subject: feeId }, JSON.stringify({ feeId }), b.reason, now);
    }
    if (b.correction !== undefined) {
      const range = await rangeOf(s, b.correction, now);
      if (range instanceof Refusal) throw range;
      return propose(s, principal, correctionSubject(b.correction), correctionText(b.correction), b.reason, now);
    }
    const text = exactJson(b.country);
    const [file] = s.rateKeeper.checkTax(s, [{ name: 'country', text }]);
    const subject = file?.country.jurisdiction ?? '';
    return propose(s, principal, { kind: 'TAX', subject }, text, b.reason, now);
  },
});

export const listProposals = operation({
  id: 'listProposals',
  method: 'GET',
  path: '/v1/admin/proposal',
  tag: 'Administration',
  summary: 'List proposals of rate changes',
  audience: ['operator'],
  query: Type.Object({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...proposalStates])),
    kind: Type.Optional(Type.Enum([...proposalKinds])),
  }),
  content: Page(ProposalResource),
  async handle({ query }, s: Needs<'db'>) {
    const { limit, before } = readPage('proposal', query);
    const rows = await list(s.db, { state: query.state, kind: query.kind, before, limit });
    return { message: 'proposals', content: page('proposal', rows, limit, proposalResource) };
  },
});

/** @throws NOT_FOUND */
function asked(call: Pick<Call, 'params'>): string {
  const id = fromWire('proposal', call.params.proposalId ?? '');
  if (id === undefined) throw notFound();
  return id;
}

export const getProposal = operation({
  id: 'getProposal',
  method: 'GET',
  path: '/v1/admin/proposal/:proposalId',
  tag: 'Administration',
  summary: 'A proposal with the change it would make',
  audience: ['operator'],
  content: Extended(ProposalResource, 'ProposalDetail', 'A proposal with the change it would make.', {
    proposed: Document('The proposed country file, fee row, end of a fee row or correction.'),
    inForce: Type.Union([Document('The country file in force now.'), Type.Null()], {
      description: 'The rates it would supersede; null if there are none.',
    }),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { db } = s;
    const p = await findProposal(db, asked(call));
    if (!p) throw notFound();
    const [inForce] = p.kind === 'TAX' ? await documents(db, [p.subject]) : [];
    return {
      message: 'proposal found',
      content: {
        ...proposalResource(p),
        proposed: JSON.parse(p.content),
        inForce: inForce === undefined ? null : JSON.parse(inForce),
      },
    };
  },
});

export const approveProposal = operation({
  id: 'approveProposal',
  method: 'POST',
  path: '/v1/admin/proposal/:proposalId/approve',
  tag: 'Administration',
  summary: 'Approve a proposal and apply its rates',
  description: 'Not by the person who made it. The rates are checked again against those in force.',
  audience: ['operator'],
  roles: people,
  body: Type.Object({ reason: Type.Optional(Reason) }),
  content: ProposalResource,
  example: { reason: 'compared with the gazette' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'TWO_PERSONS', 'RATES_INVALID'],
  handle: (call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'reference'> & HasRateKeeper) =>
    approve(s, call.principal, asked(call), call.body.reason ?? null, call.now),
});

export const rejectProposal = operation({
  id: 'rejectProposal',
  method: 'POST',
  path: '/v1/admin/proposal/:proposalId/reject',
  tag: 'Administration',
  summary: 'Reject a proposal, or withdraw one’s own',
  audience: ['operator'],
  roles: people,
  body: Type.Object({ reason: Reason }),
  content: ProposalResource,
  example: { reason: 'the rate is of another year' },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT'],
  handle: (call, s: Needs<'ids' | 'db' | 'committer'>) =>
    reject(s, call.principal, asked(call), call.body.reason, call.now),
});
