// Sign-in to the file drop by public key or password. A wrong name, a wrong password and a revoked login look the same
// from outside.
import type { AuthContext, AuthenticationType, PublicKeyAuthContext } from 'ssh2';
import ssh2 from 'ssh2';
import { findSftpLogin, type SftpLogin } from '../../modules/telecom/index.ts';
import type { Database } from '../../platform/database.ts';
import type { Passwords } from '../../platform/passwords.ts';

const methods: AuthenticationType[] = ['publickey', 'password'];

export interface Tries {
  /** Whose turn a password check takes. */
  readonly from: string;
  /** Records a failed sign-in. @returns whether another may be tried */
  failed(): boolean;
  signedIn(login: SftpLogin): Promise<void>;
  /** The database was unavailable. */
  broken(e: unknown): void;
  /** Ends the connection. */
  end(): void;
}

export async function signIn(db: Database, passwords: Passwords, context: AuthContext, tries: Tries): Promise<void> {
  try {
    // Every client asks this first, to learn the available methods.
    if (context.method === 'none') return context.reject(methods);
    const login =
      context.username.length > 64 || context.username.includes('\0')
        ? undefined
        : await findSftpLogin(db, context.username);
    if (context.method === 'password' || context.method === 'publickey') {
      const right =
        context.method === 'password'
          ? // A request to change the password carries two; changing it is not supported.
            typeof context.password === 'string' &&
            (await passwords.check(context.password, login?.passwordScrypt, tries.from))
          : login !== undefined && opens(login, context);
      if (login && right) {
        if (context.method === 'password' || context.signature) await tries.signedIn(login);
        return context.accept();
      }
    }
    if (tries.failed()) context.reject(methods);
    else tries.end();
  } catch (e) {
    tries.broken(e);
    tries.end();
  }
}

/** Whether a key is one of the login's and, if it signed, the signature is valid. SHA-1 signatures are rejected. */
export function opens(
  login: Pick<SftpLogin, 'publicKeys'>,
  { key, blob, signature, hashAlgo }: Pick<PublicKeyAuthContext, 'key' | 'blob' | 'signature' | 'hashAlgo'>,
): boolean {
  const known = login.publicKeys.find(({ key: kept }) => kept === `${key.algo} ${key.data.toString('base64')}`);
  if (!known || (key.algo === 'ssh-rsa' && hashAlgo === undefined)) return false;
  if (!signature) return true;
  const parsed = ssh2.utils.parseKey(known.key);
  return !(parsed instanceof Error) && blob !== undefined && parsed.verify(blob, signature, hashAlgo) === true;
}
