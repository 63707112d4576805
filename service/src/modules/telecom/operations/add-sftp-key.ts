import { said } from '../../../core/said.ts';
import { Login } from '../../../entries/cdrs.ts';
import { type HasAccounts, reachOf } from '../../accounts/index.ts';
import { type Needs, operation, Type } from '../../kernel/operation.ts';
import { expectScopes } from '../../kernel/scopes.ts';
import { addKeyToLogin, loginResource } from '../sftp-credentials.ts';
import { loginIdOf, PublicKey } from '../sftp-login-params.ts';

export const addSftpKey = operation({
  id: 'addSftpKey',
  method: 'POST',
  path: '/v1/telecom/sftpCredentials/:loginId/key',
  tag: 'File drop',
  summary: 'Add a public key to a login',
  description: 'Adding the same key again changes nothing. To remove a key, revoke the login.',
  audience: ['psp', 'client'],
  standing: 'active',
  body: Type.Object({ publicKey: PublicKey }),
  content: Login,
  example: {
    publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl billing',
  },
  refusals: ['NOT_FOUND', 'STATE_CONFLICT', 'LIMIT_REACHED'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'> & HasAccounts) {
    const { principal, body, now } = call;
    expectScopes(principal, ['records'], said`a login of the file drop`);
    const login = await addKeyToLogin(s, principal, await reachOf(s, call), loginIdOf(call), body.publicKey, now);
    return { message: 'key added', content: loginResource(login) };
  },
});
