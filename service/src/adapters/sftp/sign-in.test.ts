// Which signatures by a login's keys are accepted.
import ssh2, { type ParsedKey } from 'ssh2';
import { describe, expect, it } from 'vitest';
import { opens } from './sign-in.ts';

const parsed = (text: string): ParsedKey => {
  const key = ssh2.utils.parseKey(text);
  if (key instanceof Error) throw key;
  return key;
};
const rsa = parsed(ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }).private);
const data = rsa.getPublicSSH();
const login = { publicKeys: [{ key: `ssh-rsa ${data.toString('base64')}`, fingerprint: '' }] };
const key = { algo: 'ssh-rsa', data };
const blob = Buffer.from('what is signed');

describe('an RSA key', () => {
  it('opens by a SHA-2 signature of what was to be signed', () => {
    for (const hashAlgo of ['sha256', 'sha512'])
      expect(opens(login, { key, blob, signature: rsa.sign(blob, hashAlgo), hashAlgo })).toBe(true);
    expect(opens(login, { key, hashAlgo: 'sha256' })).toBe(true);
  });

  it('does not open by SHA-1, asked or signed, nor by a signature of anything else', () => {
    expect(opens(login, { key })).toBe(false);
    expect(opens(login, { key, blob, signature: rsa.sign(blob, 'sha1') })).toBe(false);
    const other = rsa.sign(Buffer.from('something else'), 'sha256');
    expect(opens(login, { key, blob, signature: other, hashAlgo: 'sha256' })).toBe(false);
    expect(opens(login, { key, signature: rsa.sign(blob, 'sha256'), hashAlgo: 'sha256' })).toBe(false);
    expect(opens({ publicKeys: [] }, { key, blob, signature: rsa.sign(blob, 'sha256'), hashAlgo: 'sha256' })).toBe(
      false,
    );
  });
});
