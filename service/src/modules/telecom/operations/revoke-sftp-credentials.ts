import { Login } from '../../../entries/cdrs.ts';
import { type HasAccounts, reachOf } from '../../accounts/index.ts';
import { type Needs, operation, Prose, Type } from '../../kernel/operation.ts';
import { loginResource, revokeSftpLogin } from '../sftp-credentials.ts';
import { loginIdOf } from '../sftp-login-params.ts';

export const revokeSftpCredentials = operation({
  id: 'revokeSftpCredentials',
  method: 'POST',
  path: '/v1/telecom/sftpCredentials/:loginId/revoke',
  tag: 'File drop',
  summary: 'Revoke a login of the file drop',
  description:
    'The login can no longer sign in. Open sessions end within seconds; uploads that are not finished by then are discarded.',
  audience: ['psp', 'client'],
  body: Type.Object({ reason: Prose('Reason; recorded in the journal.') }),
  content: Login,
  example: { reason: 'the machine was replaced' },
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'> & HasAccounts) {
    const { principal, body, now } = call;
    const login = await revokeSftpLogin(s, principal, await reachOf(s, call), loginIdOf(call), body.reason, now);
    return { message: 'login revoked', content: loginResource(login) };
  },
});
