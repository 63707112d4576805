// The checks that need the journal readers: they run after all readers have read the whole journal.

import { checkTotals, checkVatReturns } from './check-totals.ts';
import { until } from './conditions.ts';
import type { Violation } from './finding.ts';
import type { Party } from './history.ts';
import type { Place } from './scenes.ts';

/** Waits until the readers have read all entries. */
export const caughtUp = (p: Pick<Place, 'db'>, readers: readonly string[] = ['daily-totals', 'seal', 'webhooks']) =>
  until(
    "the readers came to the journal's end",
    async () => {
      const behind = await p.db.query(
        `SELECT 1 FROM journal_heads h CROSS JOIN unnest($1::text[]) AS r(name)
         LEFT JOIN journal_cursors c ON c.psp_id = h.psp_id AND c.reader = r.name
         WHERE h.seq > coalesce(c.seq, 0) LIMIT 1`,
        [readers],
      );
      return behind.length === 0;
    },
    180_000,
  );

export async function checkReaders(p: Place): Promise<Violation[]> {
  const { db, client, service } = p;
  await caughtUp(p);
  const out = await checkTotals(db);
  out.push(...(await checkVatReturns(db, client, service.address, p.parties[0] as Party)));
  // Making a report writes journal entries, which must be sealed too.
  await caughtUp(p);
  return [...out, ...(await p.seal.look())];
}
