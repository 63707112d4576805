import { notFound } from '../../../core/refusal.ts';
import { Extended, type Needs, operation, Type } from '../../kernel/operation.ts';
import { documents } from '../../rates/index.ts';
import { findRule } from '../../risk/index.ts';
import { asked, Document } from '../proposal-fields.ts';
import { ProposalResource, proposalResource } from '../proposal-resource.ts';
import { findProposal } from '../proposal-store.ts';
import { isAct, isVisible } from '../proposed-acts.ts';

export const getProposal = operation({
  id: 'getProposal',
  method: 'GET',
  path: '/v1/admin/proposal/:proposalId',
  tag: 'Proposals',
  summary: 'A proposal with the change it would make',
  audience: ['operator', 'psp'],
  content: Extended(ProposalResource, 'ProposalDetail', 'A proposal with the change it would make.', {
    proposed: Document(
      'The proposed country file, fee row, end of a fee row, correction, risk rule, level, operator, key or erasure.',
    ),
    inForce: Type.Union([Document('The country file or the version of the risk rule in force now.'), Type.Null()], {
      description: 'The rates or rule it would supersede; null if there are none.',
    }),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { db } = s;
    const p = await findProposal(db, asked(call));
    if (!p || !isVisible(p, call.principal)) throw notFound();
    const inForce =
      p.kind === 'RISK'
        ? (await findRule(db, p.subject))?.text
        : isAct(p.kind)
          ? undefined
          : (await documents(db, p.kind === 'TAX' ? [p.subject] : []))[0];
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
