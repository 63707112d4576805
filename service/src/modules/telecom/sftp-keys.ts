// Reads public keys of file drop logins in the OpenSSH format, checks their strength and computes their fingerprint.
import { createHash, createPublicKey } from 'node:crypto';
import ssh2 from 'ssh2';
import { type Refusal, refuse, type Said, said } from '../../core/refusal.ts';
import type { SftpKey } from '../../records/sftp-logins.ts';

const types = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521', 'ssh-rsa'];
const leastRsaBits = 2048;

const fault = (what: Said): Refusal => refuse('FIELD_INVALID', said`the field 'publicKey' ${what}`);

/** A key from one line of a `.pub` file; its comment is left out. */
export function readPublicKey(text: string): SftpKey | Refusal {
  if (text.includes('PRIVATE KEY'))
    return fault(
      said`holds a private key; send the one line of the .pub file, and make a new pair, since this was sent`,
    );
  const line = text.trim();
  const parsed = /[\r\n]/.test(line) ? undefined : ssh2.utils.parseKey(line);
  if (!parsed || parsed instanceof Error || parsed.isPrivateKey())
    return fault(said`is no OpenSSH public key; send the one line of a .pub file, as 'ssh-ed25519 AAAA…'`);
  if (!types.includes(parsed.type)) return fault(said`has the type ${parsed.type}; ${types.join(', ')} are taken`);
  if (parsed.type === 'ssh-rsa') {
    const bits = createPublicKey(parsed.getPublicPEM()).asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits < leastRsaBits) return fault(said`is an RSA key of ${bits} bits; at least ${leastRsaBits} are needed`);
  }
  const bytes = parsed.getPublicSSH();
  return {
    key: `${parsed.type} ${bytes.toString('base64')}`,
    fingerprint: `SHA256:${createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')}`,
  };
}
