// Finds current nettings by the transaction against which they were made, or by their chargeback.
import type { PspId } from '../../core/ids.ts';
import type { FactLoader } from '../../platform/committer.ts';
import { ofOnly, onlyPsp } from '../../platform/each-psp.ts';
import type { RowOf } from '../../records/define.ts';
import type { nettings } from '../../records/nettings.ts';
import { type Netting, nettingColumns, nettingFromRow } from './netting-store.ts';

export interface NettedKey {
  readonly psp: PspId;
  /** Id of the transaction or the chargeback. */
  readonly id: string;
}

const keyText = (k: NettedKey) => `${k.psp}|${k.id}`;

/** Nettings that were not released, newest first. A release is a row with the same ref. */
const standing = (
  name: string,
  column: 'against_id' | 'chargeback_id',
  of: (n: Netting) => string,
): FactLoader<NettedKey, readonly Netting[]> => ({
  name,
  text: keyText,
  async load(db, keys) {
    const rows = await db.query<RowOf<typeof nettings>>(
      `SELECT ${nettingColumns('n')} FROM unnest($1::uuid[], $2::uuid[]) AS k(p, x)
       JOIN nettings n ON n.psp_id = k.p AND n.${column} = k.x
       WHERE ${ofOnly('n.psp_id', 3)} AND NOT EXISTS (
         SELECT 1 FROM nettings r
         WHERE r.psp_id = n.psp_id AND ${ofOnly('r.psp_id', 3)} AND r.against_id = n.against_id AND r.ref = n.ref AND r.id <> n.id
       ) ORDER BY n.id DESC`,
      [keys.map((k) => k.psp), keys.map((k) => k.id), onlyPsp(db, keys)],
    );
    return Map.groupBy(rows.map(nettingFromRow), (n) => keyText({ psp: n.psp, id: of(n) }));
  },
});

export const nettingsAgainst = standing('nettings-against', 'against_id', (n) => n.against);
export const nettingsOfChargeback = standing('nettings-of-chargeback', 'chargeback_id', (n) => n.chargeback);
