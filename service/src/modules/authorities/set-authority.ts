// What is written when an authority is let in, or what it sees is changed. Decides nothing.
import type { Row } from '../../platform/committer.ts';
import { type Authority, authorityResource, authorityRow } from '../accounts/index.ts';
import { aboutAccount, journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';

export const authorityRows = (
  s: Needs<'ids'>,
  principal: Principal,
  a: Authority,
  name: string,
  reason: string,
): readonly Row[] => [
  authorityRow(a),
  journalRow(s, principal, a.updatedAt, {
    kind: 'authority.set',
    ...aboutAccount(a),
    data: authorityResource(a, name),
    evidence: { reason },
  }),
];
