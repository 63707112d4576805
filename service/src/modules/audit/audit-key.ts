// The key that signs checkpoints: made once per database at its first start, its private half sealed.
import { type VerifierKey, verifierKey } from '../../core/audit/note.ts';
import { originOf } from '../../core/audit/receipt.ts';
import type { PspId } from '../../core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ed25519FromSeed, type SigningKey, sha256 } from '../../platform/hashing.ts';
import { randomSecret } from '../../platform/random.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import { findAuditKeys, insertAuditKey, type StoredAuditKey } from './audit-store.ts';

/** There is one; a column tells versions apart, for the day that it must be replaced. */
const version = 1;
const place = `audit_keys/${version}`;

/** Name of the service where it has no public address to be called by. */
const nameless = 'assay';

export interface AuditKey extends SigningKey {
  /** Of the service, as it was when the key was made. */
  readonly name: string;
}

/** @param baseUrl the service's public address; its host becomes the logs' name when the key is made, and stays it */
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
    // Of several processes that start at once the first one's stands.
    [stored] = await findAuditKeys(db);
  }
  const { name, privateSealed } = stored as StoredAuditKey;
  return { name, ...ed25519FromSeed(Buffer.from(vault.open(privateSealed, place), 'base64')) };
}

/** The key of a PSP's log: one pair for the service, under a name per log, so that no checkpoint fits two logs. */
export const logKey = (k: { readonly name: string; readonly publicKey: Uint8Array }, psp: PspId): VerifierKey =>
  verifierKey(sha256, originOf(k.name, psp), k.publicKey);
