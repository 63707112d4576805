// Compares stored lists with the journal: each load has the hash of the rows written with it, and its entry says what the
// load was.
import { fromWire, nobody, type PspId } from '../../core/ids.ts';
import { readEntry, unknownSchema } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import { listLoads } from '../../records/lists.ts';
import { tableOf } from '../../records/table.ts';
import { storedSha256 } from '../kernel/held-rows.ts';
import { loadsOfAll, rowsOfListLoad, strayEntries } from './list-store.ts';
import { loadResource } from './load.ts';

const table = tableOf(listLoads);

/** The differences. Lists are checked with the first staff account, no matter who loaded them. */
export async function compareLists(
  db: Database,
  psp: PspId,
): Promise<{ table: 'list_loads'; id: string; what: string }[]> {
  const staff = await db.query<{ psp_id: string }>(
    "SELECT psp_id FROM accounts WHERE kind = 'operator' ORDER BY psp_id",
  );
  if ((staff[0]?.psp_id ?? nobody) !== psp) return [];
  const entries = await db.query<{ psp: PspId; body: string }>(
    "SELECT psp_id AS psp, body FROM journal WHERE kind = 'list.loaded' ORDER BY id",
  );
  const finding = (id: string, what: string) => ({ table: 'list_loads', id, what }) as const;
  const stored = new Map((await loadsOfAll(db)).map((l) => [l.id, l]));
  const findings: ReturnType<typeof finding>[] = [];
  for (const { psp: by, body } of entries.filter((e) => unknownSchema(e.body) === undefined)) {
    const { data, evidence } = readEntry(body, ['list.loaded/1']);
    const id = fromWire('listLoad', data.loadId) ?? nobody;
    const row = stored.get(id);
    stored.delete(id);
    const owner = data.shared ? nobody : by;
    const same = row && row.owner === owner && row.seq === evidence.seq && isSame(loadResource(table.toRow(row)), data);
    if (!same) findings.push(finding(id, 'it is not the load that was recorded'));
    if ((await storedSha256(db, rowsOfListLoad, [id], evidence.rowsColumns)) !== evidence.rowsSha256)
      findings.push(finding(id, 'its entries are not those that were recorded'));
  }
  for (const id of [...stored.keys(), ...(await strayEntries(db))])
    findings.push(finding(id, 'the journal has no entry about it'));
  return findings;
}

const isSame = (one: object, other: object): boolean => JSON.stringify(one) === JSON.stringify(other);
