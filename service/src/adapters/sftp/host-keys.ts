// The server's host keys, by which clients recognise it: generated at the first start, then kept. Processes behind one
// address need the same files.
import { join } from 'node:path';
import ssh2, { type ParsedKey } from 'ssh2';
import { keepFirst, readSecret } from '../../platform/secret-file.ts';

/** @throws an Error that names the file if its text is not a private key */
export async function hostKeys(secrets: string): Promise<ParsedKey[]> {
  const [ed25519, rsa] = await Promise.all([
    hostKey(join(secrets, 'sftp_host_ed25519_key'), 'ed25519', {}),
    hostKey(join(secrets, 'sftp_host_rsa_key'), 'rsa', { bits: 3072 }),
  ]);
  return [ed25519, named(rsa, 'rsa-sha2-512'), named(rsa, 'rsa-sha2-256')];
}

/**
 * An RSA key named after one signature algorithm. Under its own name the library would also offer SHA-1, whatever
 * algorithms are configured.
 */
const named = (key: ParsedKey, type: string): ParsedKey => Object.create(key, { type: { value: type } });

async function hostKey(file: string, type: KeyType, options: { bits?: number }): Promise<ParsedKey> {
  const text = readSecret(file) ?? keepFirst(file, await makeHostKey(type, options));
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error || !key.isPrivateKey())
    throw new Error(`${file} holds no private host key; restore it, or remove it to have one made`);
  return key;
}

type KeyType = 'ed25519' | 'rsa';

/**
 * The library writes one byte too few for an Ed25519 key whose public half begins with a zero byte (one in 256), so
 * that nobody can read it: such a key is discarded and another generated.
 */
export async function makeHostKey(type: KeyType, options: { bits?: number } = {}): Promise<string> {
  for (let attempt = 0; attempt < 16; attempt++) {
    const text = await generate(type, options);
    if (!(ssh2.utils.parseKey(text) instanceof Error)) return text;
  }
  throw new Error(`no host key of type ${type} could be made that can be read`);
}

const generate = (type: KeyType, options: { bits?: number }): Promise<string> =>
  new Promise((resolve, reject) => {
    ssh2.utils.generateKeyPair(type, options as { bits: number }, (error, pair) =>
      error ? reject(error) : resolve(pair.private),
    );
  });
