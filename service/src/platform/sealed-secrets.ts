// Secrets at rest: AES-256-GCM under a master key, with the place they stand in as associated data, so that
// a ciphertext moved to another row does not open. Data keys of persons are sealed the same way.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { randomSecret } from './random.ts';

/** Seals under one 32-byte key: `base64(iv ‖ ciphertext ‖ tag)`. */
export function sealWith(key: Buffer, text: string, place: string): string {
  const iv = randomSecret(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(place));
  const body = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([body, cipher.getAuthTag()]).toString('base64');
}

/** @throws when the key, the text or the place is not the one it was sealed with */
export function openWith(key: Buffer, sealed: string, place: string): string {
  const raw = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, raw.subarray(0, 12));
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(raw.subarray(raw.length - 16));
  return decipher.update(raw.subarray(12, raw.length - 16), undefined, 'utf8') + decipher.final('utf8');
}

/** The master key's uses. The version stands before each sealed text, for rotation. */
export class Vault {
  readonly #sealing: Buffer;
  readonly #blinding: Buffer;

  constructor(masterKey: Buffer) {
    if (masterKey.length !== 32) throw new Error('the master key must be 32 bytes, as base64 or hex');
    this.#sealing = Buffer.from(hkdfSync('sha256', masterKey, '', 'assay sealing v1', 32));
    this.#blinding = Buffer.from(hkdfSync('sha256', masterKey, '', 'assay blinding v1', 32));
  }

  /** @param place table and row, e.g. `accounts/<id>/secret` */
  seal(text: string, place: string): string {
    return `v1:${sealWith(this.#sealing, text, place)}`;
  }

  open(sealed: string, place: string): string {
    if (!sealed.startsWith('v1:')) throw new Error(`sealed text of an unknown key version at ${place}`);
    return openWith(this.#sealing, sealed.slice(3), place);
  }

  /** A keyed hash that says whether two personal values are equal without telling either. */
  blind(text: string): string {
    return createHmac('sha256', this.#blinding).update(text).digest('base64url').slice(0, 27);
  }
}

/** Reads the master key from the setting, else from a file made at the first start with mode 0600. */
export function loadVault(setting: string | undefined, file: string): Vault {
  if (setting) return new Vault(Buffer.from(setting, /^[0-9a-f]{64}$/i.test(setting) ? 'hex' : 'base64'));
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(file, `${randomSecret(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
    } catch (e) {
      if ((e as NodeJS.ErrnoException).code !== 'EEXIST') throw e;
    }
  }
  chmodSync(file, 0o600);
  return new Vault(Buffer.from(readFileSync(file, 'utf8').trim(), 'base64'));
}
