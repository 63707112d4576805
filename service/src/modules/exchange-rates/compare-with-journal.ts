// Compares stored exchange rates with the journal: each load has one hash of all the rows written with it.
import { fromWire, nobody, type PspId } from '../../core/ids.ts';
import { readEntry, unknownSchema } from '../../entries/read.ts';
import type { Database } from '../../platform/database.ts';
import { storedSha256 } from '../kernel/held-rows.ts';
import { rowsOfLoad, storedLoads } from './exchange-store.ts';

/** The differences. The rates belong to no PSP: they are checked with the first staff account. */
export async function compareExchangeRates(
  db: Database,
  psp: PspId,
): Promise<{ table: 'exchange_rates'; id: string; what: string }[]> {
  const staff = (
    await db.query<{ psp_id: string }>("SELECT psp_id FROM accounts WHERE kind = 'operator' ORDER BY psp_id")
  ).map((r) => r.psp_id);
  if ((staff[0] ?? nobody) !== psp) return [];
  const entries = await db.query<{ body: string }>(
    "SELECT body FROM journal WHERE kind = 'exchange_rates.loaded' AND psp_id = ANY ($1::uuid[]) ORDER BY id",
    [[nobody, ...staff]],
  );
  const finding = (id: string, what: string) => ({ table: 'exchange_rates', id, what }) as const;
  const unjournaled = new Set(await storedLoads(db));
  const findings: ReturnType<typeof finding>[] = [];
  for (const { body } of entries.filter((e) => unknownSchema(e.body) === undefined)) {
    const { data, evidence } = readEntry(body, ['exchange_rates.loaded/1']);
    const load = fromWire('exchangeLoad', data.loadId) ?? nobody;
    unjournaled.delete(load);
    if ((await storedSha256(db, rowsOfLoad, [load], evidence.rowsColumns)) !== evidence.rowsSha256)
      findings.push(finding(load, 'its rates are not those that were recorded'));
  }
  for (const id of unjournaled) findings.push(finding(id, 'the journal has no entry about it'));
  return findings;
}
