import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { countQuery, totalOf } from '../../kernel/counting.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { listFiles } from '../files/file-store.ts';
import { FileResource, FileStateName, fileResource } from '../files/schemas.ts';

export const listCdrFiles = operation({
  id: 'listCdrFiles',
  method: 'GET',
  path: '/v1/telecom/file',
  tag: 'Telecom',
  summary: 'List call detail files that were picked up',
  audience: ['psp', 'client', 'operator'],
  query: Type.Object({ ...pageQuery, ...countQuery, ...clientQuery, state: Type.Optional(FileStateName) }),
  content: Page(FileResource),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { principal, query, now } = call;
    const { limit, before } = readPage('cdrFile', query);
    const account = await listedClient(s, call, query.clientId);
    const psp = principal.kind === 'operator' ? undefined : principal.psp;
    const filter = { psp, account, state: query.state };
    const rows = await listFiles(s.db, { ...filter, before, limit });
    const total = await totalOf(s, query, (db, most) => listFiles(db, { ...filter, limit: most }));
    return {
      message: 'call detail files',
      content: { ...page('cdrFile', rows, limit, (f) => fileResource(f, now)), ...total },
    };
  },
});
