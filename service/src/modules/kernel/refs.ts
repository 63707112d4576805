// Refs by key: whether one is taken, and how often its record has changed.
import type { FactLoader, RefKey } from '../../platform/committer.ts';

const text = (k: RefKey) => `${k.psp}|${k.space}|${k.account}|${k.ref}`;

export const refHeld: FactLoader<RefKey, { readonly revision: number }> = {
  name: 'ref-held',
  text,
  async load(db, keys) {
    const rows = await db.query<RefKey & { revision: number }>(
      `SELECT r.psp_id AS psp, r.space, r.ref, r.account_id AS account, r.revision FROM refs r
       JOIN unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) AS k(p, s, f, a)
         ON r.psp_id = k.p AND r.space = k.s AND r.ref = k.f AND r.account_id = k.a`,
      [keys.map((k) => k.psp), keys.map((k) => k.space), keys.map((k) => k.ref), keys.map((k) => k.account)],
    );
    return new Map(rows.map((r) => [text(r), { revision: r.revision }]));
  },
};
