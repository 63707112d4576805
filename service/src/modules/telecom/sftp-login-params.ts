// The login of the file drop that a request names, for those who may change it.
import { Type } from 'typebox';
import { fromWire } from '../../core/ids.ts';
import { Refusal } from '../../core/refusal.ts';
import { type HasAccounts, listedAccount } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Call } from '../kernel/operation.ts';
import type { LoginReach } from './sftp-credentials.ts';

export const PublicKey = Type.String({
  description: 'An OpenSSH public key, the one line of a .pub file: Ed25519, ECDSA, or RSA from 2,048 bits.',
  minLength: 1,
  maxLength: 4000,
  'x-characters': 'prose',
});

/** A client's key reaches its own logins, a PSP's key all of the PSP's or one client's. */
export async function reachOf(
  s: Needs<'db'> & HasAccounts,
  call: Pick<Call, 'principal' | 'onBehalfOf'>,
): Promise<LoginReach> {
  const account = await listedAccount(s, call.principal, call.onBehalfOf);
  if (account instanceof Refusal) throw account;
  return { psp: call.principal.psp, account };
}

export const loginIdOf = (call: Pick<Call, 'params'>) => fromWire('sftpLogin', call.params.loginId ?? '');
