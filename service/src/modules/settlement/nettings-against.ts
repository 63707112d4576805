// What is netted against a transaction at present.
import type { FactLoader } from '../../platform/committer.ts';
import type { RowOf } from '../../records/define.ts';
import type { nettings } from '../../records/nettings.ts';
import { type Netting, nettingColumns, nettingFromRow } from './netting-store.ts';

export interface AgainstKey {
  readonly psp: string;
  readonly transaction: string;
}

const againstText = (k: AgainstKey) => `${k.psp}|${k.transaction}`;

/** Nettings against a transaction that were not released, newest first. A release is a row of the same ref. */
export const nettingsAgainst: FactLoader<AgainstKey, readonly Netting[]> = {
  name: 'nettings-against',
  text: againstText,
  async load(db, keys) {
    const rows = await db.query<RowOf<typeof nettings>>(
      `SELECT ${nettingColumns('n')} FROM unnest($1::uuid[], $2::uuid[]) AS k(p, x)
       JOIN nettings n ON n.psp_id = k.p AND n.against_id = k.x
       WHERE NOT EXISTS (
         SELECT 1 FROM nettings r
         WHERE r.psp_id = n.psp_id AND r.against_id = n.against_id AND r.ref = n.ref AND r.id <> n.id
       ) ORDER BY n.id DESC`,
      [keys.map((k) => k.psp), keys.map((k) => k.transaction)],
    );
    return Map.groupBy(rows.map(nettingFromRow), (n) => againstText({ psp: n.psp, transaction: n.against }));
  },
};
