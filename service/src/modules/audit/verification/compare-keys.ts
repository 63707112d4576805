// Compares the stored keys of the seal with the notes about their changes and with the journal: a key that somebody put in
// beside the service is signed by none before it, and no entry tells of it.
import { Flaw } from '../../../core/audit/flaw.ts';
import { type KeyChange, openKeyChange } from '../../../core/audit/key-change.ts';
import { formatKey } from '../../../core/audit/note.ts';
import { nobody } from '../../../core/ids.ts';
import { readEntry, unknownSchema } from '../../../entries/read.ts';
import type { Database } from '../../../platform/database.ts';
import { primitives } from '../../../platform/hashing.ts';
import { ownKey } from '../audit-key.ts';
import type { StoredAuditKey } from '../audit-store.ts';

/** @param stored newest first @returns what is wrong, in sentences */
export async function compareKeys(db: Database, stored: readonly StoredAuditKey[]): Promise<string[]> {
  const journaled = (
    await db.query<{ body: string }>(
      `SELECT body FROM journal WHERE kind = 'audit_key.rotated'
         AND (psp_id = $1 OR psp_id IN (SELECT psp_id FROM accounts WHERE kind = 'operator'))`,
      [nobody],
    )
  )
    .filter(({ body }) => unknownSchema(body) === undefined)
    .map(({ body }) => readEntry(body, ['audit_key.rotated/1']).data);
  const wrong = stored.flatMap((k, i) => {
    const former = stored[i + 1];
    if (k.version === 1 && !former) return [];
    const change = former && changeBetween(former, k);
    if (!change) return [`the key of ${k.createdAt} is not signed by the one before it, or is another than was signed`];
    return journaled.some((t) => same(t, change)) ? [] : [`the journal has no entry about the key of ${k.createdAt}`];
  });
  const known = new Set(stored.map((k) => formatKey(ownKey(k))));
  return [
    ...wrong,
    ...journaled
      .filter((t) => !known.has(t.next))
      .map((t) => `the key of ${t.at}, of which the journal has an entry, is missing`),
  ];
}

const same = (a: KeyChange, b: KeyChange) =>
  a.former === b.former && a.next === b.next && a.at === b.at && a.bothUntil === b.bothUntil;

/** What both keys say of the change, if it is what is stored: the new one alone where the former had leaked. */
function changeBetween(former: StoredAuditKey, next: StoredAuditKey): KeyChange | undefined {
  const note = next.change ?? '';
  const change = openKeyChange(note, ownKey(next), primitives);
  if (change instanceof Flaw) return undefined;
  const signed = change.bothUntil === null || !(openKeyChange(note, ownKey(former), primitives) instanceof Flaw);
  const stored = {
    former: formatKey(ownKey(former)),
    next: formatKey(ownKey(next)),
    at: new Date(next.createdAt).toISOString(),
    bothUntil: next.bothUntil && new Date(next.bothUntil).toISOString(),
  };
  return signed && same(change, stored) ? change : undefined;
}
