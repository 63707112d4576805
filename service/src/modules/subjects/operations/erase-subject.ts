import { Named, type Needs, operation, Prose, Type } from '../../kernel/operation.ts';
import { ApprovedBy, expectSecondPerson, type TakesApproved } from '../../kernel/second-person.ts';
import { proposedErasure } from '../approved-erasure.ts';
import { erase } from '../erase.ts';
import { who } from '../named-subject.ts';

export const eraseSubject = operation({
  id: 'eraseSubject',
  method: 'POST',
  path: '/v1/subject/erase',
  tag: 'Persons',
  area: 'administration',
  summary: 'Erase a person',
  description:
    "Destroys the keys that the person's data is sealed under, so that it cannot be read anywhere, including the journal, and reads `erased`. Amounts, taxes and hashes stay. This cannot be undone. Later data of the same person gets a new key. It is refused while a case or an alert about the person is open, and for five years after one that was confirmed or reported was closed, as laws against money laundering ask for. It waits for some seconds until what was recorded before it is looked through for alerts, and is refused where that takes longer. Where two people are required, it is proposed with openProposal first, and done with its proposalId. If there is nothing to erase, `erasureId` is null and nothing is recorded.",
  audience: ['psp', 'operator'],
  ofPsp: true,
  standing: 'active',
  body: Type.Object({
    ...who,
    reason: Prose('Reason; recorded in the journal, so leave out personal data.', 500),
    proposalId: ApprovedBy,
  }),
  content: Named('Erasure', 'Result of an erasure.', {
    erasureId: Type.Union([Type.String(), Type.Null()], {
      description: 'Id of the erasure, which has a receipt like a transaction.',
    }),
    keys: Type.Integer({ description: 'Keys destroyed: one for each identity the person had.' }),
    rejectedLines: Type.Integer({ description: 'Rejected lines of call detail files that were dropped.' }),
  }),
  example: { subjects: ['email:ada@example.com', 'phone:+2348030000002'], reason: 'request of 2026-11-20' },
  refusals: ['NOT_FOUND', 'ARCHIVED', 'STATE_CONFLICT', 'TWO_PERSONS'],
  async handle(call, s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects'> & TakesApproved) {
    const { content: approved } = await proposedErasure(s, call, call.body);
    await expectSecondPerson(s, call, call.body.proposalId, { kind: 'ERASURE', content: approved });
    const content = await erase(s, call, call.body, call.body.reason);
    const message = content.erasureId === null ? 'there was nothing to erase' : 'person erased';
    return { message, content };
  },
});
