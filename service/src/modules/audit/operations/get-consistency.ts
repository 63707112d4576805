import { toBase64 } from '../../../core/audit/base64.ts';
import { refuse, said } from '../../../core/refusal.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { findLastCheckpoint } from '../audit-store.ts';
import { Hash, Size } from '../checkpoint-fields.ts';
import { notSealed } from '../receipt-of.ts';
import { proveConsistency } from '../stored-tree.ts';

export const getConsistency = operation({
  id: 'getConsistency',
  method: 'GET',
  path: '/v1/audit/consistency',
  tag: 'Audit',
  summary: 'Proof that the journal only grew between two sizes',
  description:
    'A consistency proof of RFC 9162 between any two sealed sizes. Check it against the roots of checkpoints that you stored yourself, not against those returned here.',
  audience: ['psp', 'client'],
  query: Type.Object({ from: Size, to: Size }),
  content: Named('ConsistencyProof', 'Proof that a later journal begins with an earlier one.', {
    from: Size,
    to: Size,
    fromRoot: Hash,
    toRoot: Hash,
    proof: Type.Array(Hash),
  }),
  refusals: ['NOT_SEALED'],
  async handle({ principal, query: { from, to } }, s: Needs<'db'>) {
    if (from > to) throw refuse('QUERY_INVALID', "the query parameter 'from' must not be greater than 'to'");
    const sealed = await findLastCheckpoint(s.db, principal.psp);
    if (!sealed) throw notSealed();
    if (to > sealed.size)
      throw refuse('QUERY_INVALID', said`the query parameter 'to' is beyond what is sealed: ${sealed.size} entries`);
    const { proof, first, second } = await proveConsistency(s.db, sealed, from, to);
    return {
      message: 'consistency proof',
      content: { from, to, fromRoot: toBase64(first), toRoot: toBase64(second), proof: proof.map(toBase64) },
    };
  },
});
