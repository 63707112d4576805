import { refuse } from '../../../core/refusal.ts';
import { AuthorityResource } from '../../../entries/authorities.ts';
import { type Authority, authorityResource, createKeyless, type HasAccounts } from '../../accounts/index.ts';
import { type Needs, operation, Reason, Text, Type } from '../../kernel/operation.ts';
import { ApprovedBy, expectSecondPerson, type TakesApproved } from '../../kernel/second-person.ts';
import { authorityText, readView, viewAsked } from '../asked-view.ts';
import { authorityRows } from '../set-authority.ts';

export const createAuthority = operation({
  id: 'createAuthority',
  method: 'POST',
  path: '/v1/admin/authority',
  tag: 'Authorities',
  area: 'administration',
  summary: 'Let an authority in',
  description:
    'An account without keys, whose people read what concerns one country over all PSPs, of certain kinds, taxes and days, until a day. Its people are let in with createUser, as auditors. Each of their reads is journalled. With `authorities` in REQUIRE_TWO_PERSONS it is proposed with openProposal first.',
  audience: ['operator'],
  body: Type.Object({
    name: Text('Name of the authority.', 300),
    ...viewAsked,
    reason: Reason,
    proposalId: ApprovedBy,
  }),
  content: AuthorityResource,
  example: {
    name: 'Revenue Authority',
    countryCode: 'NG',
    taxCodes: ['VAT'],
    dayFrom: '2026-01-01',
    until: '2027-12-31T00:00:00Z',
    reason: 'audit of 2026',
  },
  refusals: ['UNKNOWN_COUNTRY', 'NOT_FOUND', 'STATE_CONFLICT', 'TWO_PERSONS'],
  async handle(
    { principal, body, now },
    s: Needs<'settings' | 'ids' | 'db' | 'committer' | 'vault' | 'subjects' | 'reference'> &
      HasAccounts &
      TakesApproved,
  ) {
    const view = await readView(s, body);
    const at = new Date(now).toISOString();
    if (view.until <= at) throw refuse('FIELD_INVALID', "the field 'until' has passed");
    const name = body.name.trim();
    await expectSecondPerson(s, { principal, now }, body.proposalId, {
      kind: 'AUTHORITY',
      content: authorityText({ name }, view),
    });
    const id = s.ids.next();
    const authority: Authority = { psp: id, id, ...view, version: 1, createdAt: at, updatedAt: at };
    const rows = authorityRows(s, principal, authority, name, body.reason);
    await createKeyless(s, principal, { psp: id, id, kind: 'authority', name, country: view.country, rows }, now);
    return {
      message: 'authority let in; let its people in with createUser',
      content: authorityResource(authority, name),
    };
  },
});
