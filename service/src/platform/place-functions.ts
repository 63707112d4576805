// Makes the functions by which a server of a Citus cluster commits what lies on it by itself: for each place one of the
// commit's, on the place's own tables. They are made on the coordinator, and Citus has them on all servers, those that join
// later too, so that a place may be moved.
import type { CommitFunction } from './commit-function.ts';
import { storeSubjectsAt } from './commit-statements.ts';
import type { Database } from './database.ts';

/** Shared with commits, against moves of the place, which take it alone (Citus numbers locks as PostgreSQL does). */
const shareLock = 5;

/** Citus lets only the owner of a place lock it; who commits may do that, and nothing else, by this function. */
const holdPlace = `CREATE OR REPLACE FUNCTION hold_place(p_place bigint) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM lock_shard_metadata(${shareLock}, ARRAY[p_place]);
  RETURN EXISTS (
    SELECT 1 FROM pg_dist_placement p JOIN pg_dist_local_group g ON g.groupid = p.groupid WHERE p.shardid = p_place
  );
END $$;
REVOKE EXECUTE ON FUNCTION hold_place FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_place TO assay_app;
`;

/** Makes those that are missing, in one transaction. */
export async function installPlaceFunctions(db: Database, made: CommitFunction): Promise<void> {
  const places = await tablesByPlace(db);
  const [stored] = await db.query<{ text: string }>(
    `SELECT pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = 'store_subjects' AND pronamespace = 'public'::regnamespace`,
  );
  const found = new Map(
    (
      await db.query<{ name: string; text: string }>(
        `SELECT proname AS name, pg_get_functiondef(oid) AS text FROM pg_proc WHERE proname = ANY ($1)`,
        [['hold_place', ...[...places.keys()].flatMap((place) => [storeSubjectsAt(place), made.nameAt(place)])]],
      )
    ).map((f) => [f.name, f.text]),
  );
  const missing = [...places].flatMap(([place, names]) => {
    const at = (table: string): string => {
      const name = names.get(table);
      if (name === undefined) throw new Error(`the table ${table} has no part at place ${place}`);
      return name;
    };
    const store = stored?.text.replace(/\b(?:store_subjects|subject_keys|subject_epochs)\b/g, (word) =>
      word === 'store_subjects' ? storeSubjectsAt(place) : at(word),
    );
    return [
      ...(store !== undefined && found.get(storeSubjectsAt(place)) !== store ? [store] : []),
      ...(found.has(made.nameAt(place)) ? [] : [made.sqlAt(place, at)]),
    ];
  });
  if (!found.has('hold_place')) missing.unshift(holdPlace);
  // All statements of one text are one transaction.
  if (missing.length > 0) await db.query(missing.join(';\n'));
}

/** By place, the names that tables have there; of those that lie everywhere it is the same for all places. */
async function tablesByPlace(db: Database): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  const rows = await db.query<{ place: string; table: string; name: string }>(
    `SELECT f.shardid::text AS place, c.relname AS table, shard_name(s.logicalrelid, s.shardid) AS name
     FROM pg_dist_shard f
       JOIN pg_dist_partition t ON t.logicalrelid = f.logicalrelid
       JOIN pg_dist_partition o ON (o.partmethod = 'h' AND o.colocationid = t.colocationid)
         OR (o.partmethod = 'n' AND o.repmodel = 't')
       JOIN pg_class c ON c.oid = o.logicalrelid AND NOT c.relispartition
       JOIN pg_dist_shard s ON s.logicalrelid = o.logicalrelid
         AND (o.partmethod = 'n' OR s.shardminvalue = f.shardminvalue)
     WHERE f.logicalrelid = 'journal_heads'::regclass ORDER BY f.shardid`,
  );
  const places = new Map<string, Map<string, string>>();
  for (const { place, table, name } of rows) {
    const names = places.get(place) ?? new Map<string, string>();
    places.set(place, names.set(table, name));
  }
  return places;
}
