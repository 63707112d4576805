// Parameters that the operations on file drop logins share: a public key, and the login that a request names.
import { fromWire } from '../../core/ids.ts';
import { type Call, Type } from '../kernel/operation.ts';

export const PublicKey = Type.String({
  description: 'An OpenSSH public key, the one line of a .pub file: Ed25519, ECDSA, or RSA from 2,048 bits.',
  minLength: 1,
  maxLength: 4000,
  'x-characters': 'prose',
});

export const loginIdOf = (call: Pick<Call, 'params'>) => fromWire('sftpLogin', call.params.loginId ?? '');
