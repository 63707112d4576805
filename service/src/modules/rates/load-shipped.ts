// Puts the shipped country files in force at a start, each with a journal entry of the service's own.
import { nobody } from '../../core/ids.ts';
import { stored } from '../../core/said.ts';
import { readEntry, unknownSchema } from '../../entries/read.ts';
import { refuseUnsoundTax } from '../../platform/data-files.ts';
import type { Database, Pool } from '../../platform/database.ts';
import type { Needs } from '../kernel/needs.ts';
import { system } from '../kernel/principal.ts';
import { recordRates, taxChange } from './rates-entry.ts';
import { type CountryFile, liveCountries, loadCountries } from './rates-store.ts';

/**
 * Loads the files that are missing or changed, unless staff loaded the country. Shipped files that a version without
 * these entries put in force are named by the same entry. Several processes may do so at once.
 * @throws an Error naming each file and row that is wrong; the rates in force stay
 */
export async function loadShipped(
  db: Pick<Pool, 'query' | 'transaction'>,
  s: Needs<'ids' | 'clock' | 'committer'>,
  shipped: readonly CountryFile[],
): Promise<void> {
  if (isDone(await missing(db, shipped))) return;
  await db.transaction(async (tx) => {
    await tx.query('LOCK TABLE tax_datasets IN SHARE ROW EXCLUSIVE MODE');
    const found = await missing(tx, shipped);
    if (isDone(found)) return;
    refuseUnsoundTax(
      found.changed.map((f) => f.country),
      found.changed.length > 0 ? shipped.map((f) => f.country) : [],
    );
    const reason = stored`shipped with this version`;
    const version = await loadCountries(tx, found.changed, 'shipped', system.actor, reason);
    const change = taxChange(version, [...found.changed, ...found.unjournaled]);
    await recordRates(tx, s, system, new Date(s.clock()).toISOString(), change, { reason });
  });
}

interface Missing {
  /** Shipped files that are not in force. */
  readonly changed: readonly CountryFile[];
  /** Shipped files in force that no entry names. */
  readonly unjournaled: readonly Pick<CountryFile, 'jurisdiction' | 'hash'>[];
}

const isDone = (m: Missing): boolean => m.changed.length + m.unjournaled.length === 0;

async function missing(db: Database, shipped: readonly CountryFile[]): Promise<Missing> {
  const live = new Map((await liveCountries(db)).map((c) => [c.jurisdiction, c]));
  const changed = shipped.filter((f) => {
    const known = live.get(f.jurisdiction);
    return !known || (known.origin === 'shipped' && known.hash !== f.hash);
  });
  const replaced = new Set(changed.map((f) => f.jurisdiction));
  const rows = await db.query<{ body: string }>(
    "SELECT body FROM journal WHERE psp_id = $1 AND resource_id = $1 AND kind = 'rates.changed'",
    [nobody],
  );
  const journaled = new Set(
    rows
      .filter((r) => unknownSchema(r.body) === undefined)
      .flatMap((r) => readEntry(r.body, ['rates.changed/1']).data.countries ?? [])
      .map((c) => `${c.jurisdiction} ${c.hash}`),
  );
  const unjournaled = [...live.values()].filter(
    (c) => c.origin === 'shipped' && !replaced.has(c.jurisdiction) && !journaled.has(`${c.jurisdiction} ${c.hash}`),
  );
  return { changed, unjournaled };
}
