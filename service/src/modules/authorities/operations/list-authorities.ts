import { AuthorityResource } from '../../../entries/authorities.ts';
import { authorityResource, listAuthorities as list, namesOf } from '../../accounts/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';

export const listAuthorities = operation({
  id: 'listAuthorities',
  method: 'GET',
  path: '/v1/admin/authority',
  tag: 'Authorities',
  area: 'administration',
  summary: 'List authorities',
  description:
    'Authorities that were let in, with what their people see. What they read is in listJournal (`authority.read`).',
  audience: ['operator'],
  query: Type.Object(pageQuery),
  content: Page(AuthorityResource),
  async handle({ query }, s: Needs<'db'>) {
    const { limit, before } = readPage('psp', query);
    const rows = await list(s.db, { before, limit });
    const ids = rows.map((a) => a.id);
    const names = await namesOf(s.db, ids);
    return {
      message: 'authorities',
      content: page('psp', rows, limit, (a) => authorityResource(a, names.get(a.id) ?? '')),
    };
  },
});
