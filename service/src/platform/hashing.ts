// The cryptographic primitives that core receives: SHA-256, and Ed25519 keys and signatures over raw bytes.
import { createPrivateKey, createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';

export const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer');

// The bytes before the 32 key bytes in the two DER forms of RFC 8410.
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicHead = Buffer.from('302a300506032b6570032100', 'hex');

export interface SigningKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

/** @param seed 32 secret bytes */
export function ed25519FromSeed(seed: Buffer): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([privateHead, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = new Uint8Array(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32));
  return { publicKey, sign: (message) => new Uint8Array(sign(null, message, key)) };
}

/** False also if the key or the signature is malformed. */
function verifyEd25519(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: Buffer.concat([publicHead, publicKey]), format: 'der', type: 'spki' });
  } catch {
    return false;
  }
  return verify(null, message, key, signature);
}

export const primitives = { sha256, verifyEd25519 };
