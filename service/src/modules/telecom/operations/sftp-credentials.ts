// Logins of the file drop: create, list, add a key, revoke. The drop itself is served by its own entrance.
import { Type } from 'typebox';
import { fromWire } from '../../../core/ids.ts';
import { Refusal } from '../../../core/refusal.ts';
import { Login, loginFields } from '../../../entries/cdrs.ts';
import { concernedAccount, type HasAccounts, listedAccount } from '../../accounts/index.ts';
import type { Needs } from '../../kernel/needs.ts';
import { type Call, Named, operation, Prose, Text } from '../../kernel/operation.ts';
import { Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import {
  addKeyToLogin,
  createSftpLogin,
  type LoginReach,
  loginResource,
  revokeSftpLogin,
} from '../sftp-credentials.ts';
import { listSftpLogins } from '../sftp-login-store.ts';

const PublicKey = Type.String({
  description: 'An OpenSSH public key, the one line of a .pub file: Ed25519, ECDSA, or RSA from 2,048 bits.',
  minLength: 1,
  maxLength: 4000,
  'x-characters': 'prose',
});

/** A client's key reaches its own logins, a PSP's key all of the PSP's or one client's. */
async function reachOf(
  s: Needs<'db'> & HasAccounts,
  call: Pick<Call, 'principal' | 'onBehalfOf'>,
): Promise<LoginReach> {
  const account = await listedAccount(s, call.principal, call.onBehalfOf);
  if (account instanceof Refusal) throw account;
  return { psp: call.principal.psp, account };
}

const loginIdOf = (call: Pick<Call, 'params'>) => fromWire('sftpLogin', call.params.loginId ?? '');

// Spec 5.6
export const createSftpCredentials = operation({
  id: 'createSftpCredentials',
  method: 'POST',
  path: '/v1/telecom/sftpCredentials',
  tag: 'Telecom',
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
    const account = concernedAccount(principal, call.onBehalfOf);
    if (account instanceof Refusal) throw account;
    const { login, password } = await createSftpLogin(s, principal, { psp: principal.psp, account }, body, call.now);
    return {
      message: password === null ? 'login created' : 'login created; keep the password, it is not shown again',
      content: { ...loginResource(login), password },
    };
  },
});

export const listSftpCredentials = operation({
  id: 'listSftpCredentials',
  method: 'GET',
  path: '/v1/telecom/sftpCredentials',
  tag: 'Telecom',
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

export const addSftpKey = operation({
  id: 'addSftpKey',
  method: 'POST',
  path: '/v1/telecom/sftpCredentials/:loginId/key',
  tag: 'Telecom',
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
    const login = await addKeyToLogin(s, principal, await reachOf(s, call), loginIdOf(call), body.publicKey, now);
    return { message: 'key added', content: loginResource(login) };
  },
});

export const revokeSftpCredentials = operation({
  id: 'revokeSftpCredentials',
  method: 'POST',
  path: '/v1/telecom/sftpCredentials/:loginId/revoke',
  tag: 'Telecom',
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
