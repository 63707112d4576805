import { Login } from '../../../entries/cdrs.ts';
import { type HasAccounts, reachOf } from '../../accounts/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { loginResource } from '../sftp-credentials.ts';
import { listSftpLogins } from '../sftp-login-store.ts';

export const listSftpCredentials = operation({
  id: 'listSftpCredentials',
  method: 'GET',
  path: '/v1/telecom/sftpCredentials',
  tag: 'File drop',
  summary: 'List logins of the file drop',
  audience: ['psp', 'client'],
  query: Type.Object(pageQuery),
  content: Page(Login),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db'> & HasAccounts) {
    const { limit, before } = readPage('sftpLogin', call.query);
    const { account } = await reachOf(s, call);
    const logins = await listSftpLogins(s.db, { psp: call.principal.psp, account, before, limit });
    return { message: 'logins', content: page('sftpLogin', logins, limit, loginResource) };
  },
});
