// GET /v1/admin/authority/:authorityId: one authority, with what its people see.
import { fromWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import { AuthorityResource } from '../../../entries/authorities.ts';
import { authorityResource, authorityState, findAuthority, namesOf } from '../../accounts/index.ts';
import { type Needs, operation } from '../../kernel/operation.ts';

export const getAuthority = operation({
  id: 'getAuthority',
  method: 'GET',
  path: '/v1/admin/authority/:authorityId',
  tag: 'Authorities',
  area: 'administration',
  summary: 'An authority, with what its people see',
  audience: ['operator'],
  content: AuthorityResource,
  conditional: true,
  refusals: ['NOT_FOUND'],
  async handle({ params }, s: Needs<'db'>) {
    const id = fromWire('psp', params.authorityId ?? '');
    const found = id && (await findAuthority(s.db, id));
    if (!id || !found) throw notFound();
    const name = (await namesOf(s.db, [id])).get(id) ?? '';
    return { message: 'authority found', content: authorityResource(found, name), state: authorityState(found) };
  },
});
