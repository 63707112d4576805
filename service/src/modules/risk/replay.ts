// Replays a proposed rule over a past period of the journals: what it would have matched beside the version in force.
// Reads only; the journal does not change, so that the same period gives the same result, and its hash says so.
import { createHash } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import { Replay } from '../../core/risk/replay.ts';
import type { RiskRule } from '../../core/risk/rule.ts';
import type { Pool } from '../../platform/database.ts';
import { idsSince } from '../../platform/journal-entries.ts';
import { type HasAccounts, livePsps } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import type { HasRiskBook } from './book-keeper.ts';
import { findRule } from './book-store.ts';
import { clientsOf } from './clients.ts';
import { entriesBetween } from './event-store.ts';
import { readEvents } from './events.ts';

export const mostEntries = 1_000_000;
const page = 5000;
const day = 86_400_000;
/** The longest window of a counter. */
const warmUpDays = 30;

/** @param from @param until milliseconds; the second is the first moment after the period */
export async function replay(
  s: Needs<'db'> & HasAccounts & HasRiskBook,
  proposed: RiskRule,
  from: number,
  until: number,
  most = mostEntries,
  pool: Pick<Pool, 'query'> = s.db,
) {
  const before = await findRule(pool, proposed.id);
  const hash = createHash('sha256');
  const run = new Replay(before && s.riskBook.ready(before.rule), s.riskBook.ready(proposed), (line) =>
    hash.update(line),
  );
  const start = run.counts ? from - warmUpDays * day : from;
  let read = 0;
  let complete = true;
  for (const psp of await livePsps(pool)) {
    for (let after = 0; complete; ) {
      const limit = Math.min(page, most - read);
      if (limit === 0) {
        complete = false;
        break;
      }
      const entries = await entriesBetween(pool, psp, after, idsSince(start), idsSince(until + 2 * day), limit);
      const events = await readEvents(pool, entries);
      const client = await clientsOf(s, pool, events);
      for (const { event, counted } of events)
        if (event.at >= start && event.at < until) run.see(event, counted, client(event), event.at >= from);
      read += entries.length;
      await pause();
      if (entries.length < limit) break;
      after = entries.at(-1)?.seq ?? after;
    }
  }
  return {
    rule: proposed.id,
    version: proposed.version,
    comparedWith: before?.version ?? null,
    entries: read,
    complete,
    looked: run.looked,
    failures: run.failures,
    newly: run.tallies.new,
    gone: run.tallies.gone,
    same: run.tallies.same,
    examples: run.examples,
    hash: hash.digest('hex'),
  };
}
