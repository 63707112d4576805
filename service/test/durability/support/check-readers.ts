// The checks that rest on the journal's readers: asked once all of them have come to its end.

import { checkTotals, checkVatReturns } from './check-totals.ts';
import { until } from './conditions.ts';
import type { Violation } from './finding.ts';
import type { Party } from './history.ts';
import type { Place } from './scenes.ts';

/** Waits until every reader that keeps something has read all that was written. */
export const caughtUp = (p: Pick<Place, 'db'>, readers: readonly string[] = ['totals', 'seal', 'webhooks']) =>
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
  // A report is journalled, and what is journalled is sealed.
  await caughtUp(p);
  return [...out, ...(await p.seal.look())];
}
