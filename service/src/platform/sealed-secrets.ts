// Secrets at rest: AES-256-GCM under a master key, with the place where they are stored as associated data, so that a
// ciphertext moved to another row fails to open. Data keys of persons are sealed the same way.
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { Database } from './database.ts';
import { randomSecret } from './random.ts';
import { keepFirst, readSecret } from './secret-file.ts';

/** Seals under one 32-byte key: `base64(iv ‖ ciphertext ‖ tag)`. */
export function sealWith(key: Uint8Array | KeyObject, text: string, place: string): string {
  const iv = randomSecret(12);
  // Measured: a key passed as bytes costs several times as much as sealing a short text.
  const cipher = createCipheriv('aes-256-gcm', key instanceof Uint8Array ? createSecretKey(key) : key, iv);
  cipher.setAAD(Buffer.from(place));
  // In this order: the tag is there after the end.
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

/** @throws if the key, the text or the place differs from when it was sealed */
export function openWith(key: Uint8Array, sealed: string, place: string): string {
  const raw = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), raw.subarray(0, 12), { authTagLength: 16 });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(raw.subarray(raw.length - 16));
  return decipher.update(raw.subarray(12, raw.length - 16), undefined, 'utf8') + decipher.final('utf8');
}

/** Version of the blinding key; it never changes, or equal values would no longer have equal hashes. */
const BLINDING = 0;

/**
 * The data keys that seal secrets, by version. They are stored in the database, wrapped under the master key, so that a
 * new master key rewraps a few rows and leaves every sealed text unchanged.
 */
export class Vault {
  readonly #keys: ReadonlyMap<number, Buffer>;
  readonly #current: number;
  readonly #sealing: KeyObject;
  readonly #blinding: KeyObject;

  /** @param keys version 0 blinds, the highest version seals, all open */
  constructor(keys: ReadonlyMap<number, Buffer>) {
    if (!keys.has(BLINDING) || keys.size < 2) throw new Error('a vault needs its blinding key and a sealing key');
    this.#keys = keys;
    this.#current = Math.max(...keys.keys());
    this.#sealing = createSecretKey(keys.get(this.#current) as Buffer);
    this.#blinding = createSecretKey(keys.get(BLINDING) as Buffer);
  }

  /** @param place table and row, e.g. `accounts/<id>/secret` */
  seal(text: string, place: string): string {
    const version = `v${this.#current}`;
    return `${version}:${sealWith(this.#sealing, text, `${place}|${version}`)}`;
  }

  /** @throws if it was sealed elsewhere, was changed, or its key is missing */
  open(sealed: string, place: string): string {
    const [version, text] = sealed.split(':', 2) as [string, string?];
    const key = this.#keys.get(Number(version.slice(1)));
    if (!key || !text) throw new Error(`sealed text of an unknown key version at ${place}`);
    try {
      return openWith(key, text, `${place}|${version}`);
    } catch (cause) {
      throw new Error(`what is sealed at ${place} was changed, or sealed by other keys`, { cause });
    }
  }

  /**
   * A key for one purpose, derived from a data key.
   * @param place the purpose
   * @param version version of the data key; by default the current one
   */
  derive(place: string, salt: Uint8Array, version = this.#current): { key: Buffer; version: number } {
    const key = this.#keys.get(version);
    if (!key || version === BLINDING) throw new Error(`an unknown key version at ${place}`);
    return { key: Buffer.from(hkdfSync('sha256', key, salt, `assay derived v1|${place}`, 32)), version };
  }

  /** For another thread of this process only. */
  keys(): ReadonlyMap<number, Buffer> {
    return this.#keys;
  }

  /** A keyed hash to compare personal values without revealing them. */
  blind(text: string): string {
    return createHmac('sha256', this.#blinding).update(text).digest('base64url').slice(0, 27);
  }
}

/** Whether a value has the form of a keyed hash; a caller's text may have it, too. */
export const isBlind = (value: unknown): boolean => typeof value === 'string' && /^[\w-]{27}$/.test(value);

const wrapping = (master: Buffer) => Buffer.from(hkdfSync('sha256', master, '', 'assay wrapping v1', 32));
const wrap = (master: Buffer, key: Buffer, version: number) =>
  sealWith(wrapping(master), key.toString('base64'), `vault_keys/${version}`);

/**
 * Opens the vault of a database; creates its keys the first time.
 * @param masterKey is asked once it is known whether this is the first time
 * @throws if the master key is missing or another one
 */
export async function openVault(db: Database, masterKey: Buffer | MasterKeySource): Promise<Vault> {
  const read = () => db.query<{ version: number; wrapped: string }>('SELECT version, wrapped FROM vault_keys');
  let rows = await read();
  const master = typeof masterKey === 'function' ? masterKey(rows.length === 0) : masterKey;
  if (rows.length === 0) {
    // Both in one statement: another process starting at the same time must never see one without the other.
    await db.query(
      'INSERT INTO vault_keys (version, wrapped) VALUES ($1, $2), ($3, $4) ON CONFLICT DO NOTHING',
      [BLINDING, 1].flatMap((version) => [version, wrap(master, randomSecret(32), version)]),
    );
    rows = await read();
  }
  return new Vault(unwrap(rows, master));
}

function unwrap(rows: readonly { version: number; wrapped: string }[], master: Buffer): Map<number, Buffer> {
  try {
    return new Map(
      rows.map((r) => [
        r.version,
        Buffer.from(openWith(wrapping(master), r.wrapped, `vault_keys/${r.version}`), 'base64'),
      ]),
    );
  } catch (cause) {
    throw new Error(
      'the master key is not the one this database was sealed with; set ASSAY_MASTER_KEY (or restore secrets/master.key)',
      { cause },
    );
  }
}

/**
 * Wraps all data keys under a new master key and adds a new data key for future sealing. Running services continue;
 * they need the new master key at their next start.
 */
export async function rotateMaster(db: Database, before: Buffer, after: Buffer): Promise<void> {
  const keys = unwrap(await db.query('SELECT version, wrapped FROM vault_keys'), before);
  const next = Math.max(...keys.keys()) + 1;
  keys.set(next, randomSecret(32));
  const rows = [...keys].map(([version, key]) => ({ version, wrapped: wrap(after, key, version) }));
  await db.query(
    `INSERT INTO vault_keys (version, wrapped) SELECT version, wrapped FROM json_to_recordset($1) AS x(version integer, wrapped text)
     ON CONFLICT (version) DO UPDATE SET wrapped = excluded.wrapped`,
    [JSON.stringify(rows)],
  );
}

/**
 * 32 bytes from hex or base64.
 * @param from where the text was read
 * @throws if the text is neither
 */
export function readMasterKey(text: string, from: string): Buffer {
  const key = Buffer.from(text.trim(), /^[0-9a-f]{64}$/i.test(text.trim()) ? 'hex' : 'base64');
  if (key.length !== 32) throw new Error(`the master key in ${from} must be 32 bytes, as hex or base64`);
  return key;
}

/** @param isFirst whether nothing was sealed yet, so that a key may be made */
type MasterKeySource = (isFirst: boolean) => Buffer;

/**
 * The master key from the setting, else from a file created at the first start with mode 0600. Where something is
 * sealed, no key is made: it would be another one, and be taken for the right one.
 */
export const masterKeyFrom =
  (setting: string | undefined, file: string): MasterKeySource =>
  (isFirst) => {
    if (setting) return readMasterKey(setting, 'ASSAY_MASTER_KEY');
    const kept = readSecret(file);
    if (kept === undefined && !isFirst)
      throw new Error(
        `the master key that this database was sealed with is missing: put it into ${file} or set ASSAY_MASTER_KEY`,
      );
    return readMasterKey(kept ?? keepFirst(file, `${randomSecret(32).toString('base64')}\n`), file);
  };
