// The keys that sign checkpoints: the first generated once per database at its first start, later ones when staff replace it.
// Their private halves are sealed.
import { type KeyChange, keyChangeText } from '../../core/audit/key-change.ts';
import { formatKey, signatureLine, signNote, type VerifierKey, verifierKey } from '../../core/audit/note.ts';
import { originOf } from '../../core/audit/receipt.ts';
import type { PspId } from '../../core/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { ed25519FromSeed, type SigningKey, sha256 } from '../../platform/hashing.ts';
import { randomSecret } from '../../platform/random.ts';
import type { Vault } from '../../platform/sealed-secrets.ts';
import { findAuditKeys, insertAuditKey, type StoredAuditKey } from './audit-store.ts';

const place = (version: number) => `audit_keys/${version}`;

/** Name of the service if it has no public address. */
const nameless = 'assay';

export interface AuditKey extends SigningKey {
  /** Name of the service when the first key was generated. */
  readonly name: string;
}

/**
 * The keys that sign now, the newest first: it, and those before it whose time beside their successor has not ended.
 * @param baseUrl the service's public address; when the first key is generated, its host becomes the permanent name of the
 * logs
 */
export async function openAuditKeys(
  db: Database,
  vault: Vault,
  clock: Clock,
  baseUrl: string | undefined,
): Promise<readonly AuditKey[]> {
  let stored = await findAuditKeys(db);
  if (stored.length === 0) {
    const { row } = generated(vault, 1, (baseUrl && new URL(baseUrl).host) || nameless, clock());
    await insertAuditKey(db, row);
    // If several processes start at once, the first one's key is used.
    stored = await findAuditKeys(db);
  }
  const now = clock();
  return stored
    .filter((_, i) => i === 0 || now < Date.parse(stored[i - 1]?.bothUntil ?? ''))
    .map((k) => opened(vault, k));
}

const opened = (vault: Vault, { version, name, privateSealed }: StoredAuditKey): AuditKey => ({
  name,
  ...ed25519FromSeed(Buffer.from(vault.open(privateSealed, place(version)), 'base64')),
});

function generated(vault: Vault, version: number, name: string, now: number) {
  const seed = randomSecret(32);
  const key = ed25519FromSeed(seed);
  const row: StoredAuditKey = {
    version,
    name,
    publicKey: key.publicKey,
    privateSealed: vault.seal(seed.toString('base64'), place(version)),
    createdAt: new Date(now).toISOString(),
    change: null,
    bothUntil: null,
  };
  return { row, key: { name, ...key } };
}

/**
 * A key to take the place of the stored one, with the signed note about it.
 * @param bothUntil until then both sign; undefined if the former one leaked: it signs nothing any more, not even the note
 */
export function replacement(
  vault: Vault,
  former: StoredAuditKey,
  now: number,
  bothUntil: string | undefined,
): { readonly row: StoredAuditKey; readonly change: KeyChange } {
  const { row, key } = generated(vault, former.version + 1, former.name, now);
  const change: KeyChange = {
    former: formatKey(ownKey(former)),
    next: formatKey(ownKey(key)),
    at: row.createdAt,
    bothUntil: bothUntil ?? null,
  };
  const text = keyChangeText(change);
  const also = bothUntil === undefined ? '' : signatureLine(text, ownKey(former), opened(vault, former).sign);
  return {
    row: { ...row, change: signNote(text, ownKey(key), key.sign) + also, bothUntil: change.bothUntil },
    change,
  };
}

type PublicKey = Pick<AuditKey, 'name' | 'publicKey'>;

/** A key under the service's own name. */
export const ownKey = (k: PublicKey): VerifierKey => verifierKey(sha256, k.name, k.publicKey);

/** The key of a PSP's log: one key pair for the service, under one name per log, so that no checkpoint fits two logs. */
export const logKey = (k: PublicKey, psp: PspId): VerifierKey =>
  verifierKey(sha256, originOf(k.name, psp), k.publicKey);

/** A note for a PSP, signed by all of these keys. @param text for the name of its log */
export function signedFor(keys: readonly AuditKey[], psp: PspId, text: (origin: string) => string): string {
  const [first, ...others] = keys as readonly [AuditKey, ...AuditKey[]];
  const key = logKey(first, psp);
  const note = text(key.name);
  return signNote(note, key, first.sign) + others.map((k) => signatureLine(note, logKey(k, psp), k.sign)).join('');
}
