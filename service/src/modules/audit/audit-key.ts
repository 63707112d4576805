// The key that signs checkpoints: generated once per database at its first start, its private half sealed.
import { type VerifierKey, verifierKey } from '../../core/audit/note.ts';
import { originOf } from '../../core/audit/receipt.ts';
import type { PspId } from '../../core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ed25519FromSeed, type SigningKey, sha256 } from '../../platform/hashing.ts';
import { randomSecret } from '../../platform/random.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import { findAuditKeys, insertAuditKey, type StoredAuditKey } from './audit-store.ts';

/** Only one exists; the column distinguishes versions if it must ever be replaced. */
const version = 1;
const place = `audit_keys/${version}`;

/** Name of the service if it has no public address. */
const nameless = 'assay';

export interface AuditKey extends SigningKey {
  /** Name of the service when the key was generated. */
  readonly name: string;
}

/**
 * @param baseUrl the service's public address; when the key is generated, its host becomes the permanent name of the
 * logs
 */
export async function openAuditKey(
  db: Database,
  vault: Vault,
  clock: Clock,
  baseUrl: string | undefined,
): Promise<AuditKey> {
  let [stored] = await findAuditKeys(db);
  if (!stored) {
    const seed = randomSecret(32);
    await insertAuditKey(db, {
      version,
      name: (baseUrl && new URL(baseUrl).host) || nameless,
      publicKey: ed25519FromSeed(seed).publicKey,
      privateSealed: vault.seal(seed.toString('base64'), place),
      createdAt: new Date(clock()).toISOString(),
    });
    // If several processes start at once, the first one's key is used.
    [stored] = await findAuditKeys(db);
  }
  const { name, privateSealed } = stored as StoredAuditKey;
  return { name, ...ed25519FromSeed(Buffer.from(vault.open(privateSealed, place), 'base64')) };
}

/**
 * The key of a PSP's log: one key pair for the service, under one name per log, so that no checkpoint fits two logs.
 */
export const logKey = (k: { readonly name: string; readonly publicKey: Uint8Array }, psp: PspId): VerifierKey =>
  verifierKey(sha256, originOf(k.name, psp), k.publicKey);
