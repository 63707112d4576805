// A proposal as shown to staff and kept in the journal.
import { Type } from 'typebox';
import { toWire } from '../../core/ids.ts';
import { accountWire } from '../../core/transaction.ts';
import { proposalKinds, proposalStates } from '../../records/proposals.ts';
import { Named } from '../kernel/operation.ts';
import type { Proposal } from './proposal-store.ts';

const Nullable = <T extends Type.TSchema>(t: T, description: string) => Type.Union([t, Type.Null()], { description });

export const proposalFields = {
  proposalId: Type.String(),
  kind: Type.Enum([...proposalKinds]),
  subject: Type.String({ description: 'The country, the id of the fee row, or what is to be corrected.' }),
  reason: Type.String(),
  state: Type.Enum([...proposalStates]),
  account: Type.String({ description: 'Of the operator that asked.' }),
  proposedBy: Type.String({ description: '`usr_…`, `key_…`.' }),
  decidedBy: Nullable(Type.String(), 'Who approved or rejected it: somebody else.'),
  decisionReason: Nullable(Type.String(), 'Why, where it was said.'),
  version: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
};
export const ProposalResource = Named(
  'Proposal',
  'A proposed change of rates, which another person decides.',
  proposalFields,
);

export const proposalResource = (p: Proposal) => ({
  proposalId: toWire('proposal', p.id),
  kind: p.kind,
  subject: p.subject,
  reason: p.reason,
  state: p.state,
  account: accountWire(p.psp, p.account),
  proposedBy: p.proposedBy,
  decidedBy: p.decidedBy,
  decisionReason: p.decisionReason,
  version: p.version,
  createdAt: p.createdAt,
  updatedAt: p.updatedAt,
});
