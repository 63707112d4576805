import { notFound } from '../../../core/refusal.ts';
import type { Database } from '../../../platform/database.ts';
import { Extended, type Needs, operation, Type } from '../../kernel/operation.ts';
import { countryFile, documentBefore, documents } from '../../rates/index.ts';
import { ruleBefore } from '../../risk/index.ts';
import { asked, Document } from '../proposal-fields.ts';
import { ProposalResource, proposalResource } from '../proposal-resource.ts';
import { approvedSince, findProposal, type Proposal } from '../proposal-store.ts';
import { isVisible } from '../proposed-acts.ts';

export const getProposal = operation({
  id: 'getProposal',
  method: 'GET',
  path: '/v1/admin/proposal/:proposalId',
  tag: 'Proposals',
  summary: 'A proposal with the change it would make, or made',
  audience: ['operator', 'psp'],
  content: Extended(ProposalResource, 'ProposalDetail', 'A proposal with the change it would make.', {
    proposed: Document(
      'The proposed country file, fee row, end of a fee row, correction, risk rule, level, operator, key or erasure.',
    ),
    inForce: Type.Union(
      [Document('The country file, or the version of the risk rule, before the proposed one.'), Type.Null()],
      {
        description:
          'The rates or rule that it would supersede, or superseded once it is approved; null if there are none.',
      },
    ),
  }),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'>) {
    const { db } = s;
    const p = await findProposal(db, asked(call));
    if (!p || !isVisible(p, call.principal)) throw notFound();
    const proposed = JSON.parse(p.content);
    const inForce =
      p.kind === 'RISK'
        ? (await ruleBefore(db, proposed))?.text
        : p.kind === 'TAX'
          ? await taxBefore(db, p)
          : undefined;
    return {
      message: 'proposal found',
      content: {
        ...proposalResource(p),
        proposed,
        inForce: inForce === undefined ? null : JSON.parse(inForce),
      },
    };
  },
});

/** The country file that a proposed one would supersede, or superseded once it was approved. */
const taxBefore = async (db: Database, p: Proposal): Promise<string | undefined> =>
  p.state === 'APPROVED'
    ? documentBefore(db, countryFile(p.content), await approvedSince(db, p))
    : (await documents(db, [p.subject]))[0];
