import { orThrow, said } from '../../../core/refusal.ts';
import { loginFields } from '../../../entries/cdrs.ts';
import { concernedAccount } from '../../accounts/index.ts';
import { Named, type Needs, operation, Text, Type } from '../../kernel/operation.ts';
import { expectScopes } from '../../kernel/scopes.ts';
import { createSftpLogin, loginResource } from '../sftp-credentials.ts';
import { PublicKey } from '../sftp-login-params.ts';

// Spec 5.6
export const createSftpCredentials = operation({
  id: 'createSftpCredentials',
  method: 'POST',
  path: '/v1/telecom/sftpCredentials',
  tag: 'File drop',
  summary: 'Create a login of the file drop',
  description:
    'The login opens `/cdr/incoming` and `/cdr/status` of the account. The password is shown only in this response. A login with a public key has no password unless `password` is true.',
  audience: ['psp', 'client'],
  standing: 'active',
  body: Type.Object({
    name: Text('Purpose of the login.', 100),
    publicKey: Type.Optional(PublicKey),
    password: Type.Optional(Type.Boolean({ description: 'True for a password in addition to a public key.' })),
  }),
  content: Named('NewSftpLogin', 'A login of the file drop, with the password it was made with.', {
    ...loginFields,
    password: Type.Union([Type.String(), Type.Null()], { description: 'Shown only in this response.' }),
  }),
  example: { name: 'billing system' },
  refusals: ['NOT_FOUND', 'LIMIT_REACHED'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'>) {
    const { principal, body } = call;
    expectScopes(principal, ['records'], said`a login of the file drop`);
    const account = orThrow(concernedAccount(principal, call.onBehalfOf));
    const { login, password } = await createSftpLogin(s, principal, { psp: principal.psp, account }, body, call.now);
    return {
      message: password === null ? 'login created' : 'login created; keep the password, it is not shown again',
      content: { ...loginResource(login), password },
    };
  },
});
