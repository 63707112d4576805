// How long keys last: one that ends issues none that lasts longer than it was issued for itself.
import { fromWire, type PspId } from '../../core/ids.ts';
import { refuse, said } from '../../core/refusal.ts';
import { readEntry, unknownSchema } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import type { Principal } from '../kernel/principal.ts';

/** For how many milliseconds a key was issued, whatever shortened its life since; undefined: for ever. */
export async function issuedFor(db: Database, key: { readonly psp: PspId; readonly id: string }) {
  const [issued] = await db.query<{ body: string }>(
    "SELECT body FROM journal WHERE psp_id = $1 AND resource_id = $2 AND kind = 'key.issued'",
    [key.psp, key.id],
  );
  if (!issued || unknownSchema(issued.body) !== undefined) return undefined;
  const { timestamp, data } = readEntry(issued.body, ['key.issued/1']);
  return data.key.expiresAt === null ? undefined : Date.parse(data.key.expiresAt) - Date.parse(timestamp);
}

/** For how many milliseconds a key that the caller issues may last; undefined for a person, and a key that never ends. */
export async function longestToGive(db: Database, { actor, psp, staff }: Principal): Promise<number | undefined> {
  const id = fromWire('key', actor);
  return id && issuedFor(db, { psp: staff?.psp ?? psp, id });
}

/** @param lastsMs milliseconds; undefined for ever @throws SCOPE if that is longer than the caller may give */
export async function expectLasting(db: Database, principal: Principal, lastsMs: number | undefined): Promise<void> {
  const longest = await longestToGive(db, principal);
  if (longest === undefined || (lastsMs !== undefined && lastsMs <= longest)) return;
  throw refuse(
    'SCOPE',
    said`the new key would last longer than your key was issued for, which is ${Math.round(longest / 36e5)} hours; ask for an earlier end, or use a key that lasts as long`,
  );
}
