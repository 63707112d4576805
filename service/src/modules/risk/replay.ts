// Replays a proposed rule over a past period of the journals: what it would have matched beside the version in force.
// Reads only; the journal does not change, so that the same period gives the same result, and its hash says so.
import { createHash } from 'node:crypto';
import { setImmediate as pause } from 'node:timers/promises';
import { refuse } from '../../core/refusal.ts';
import { Replay } from '../../core/risk/replay.ts';
import type { RiskRule } from '../../core/risk/rule.ts';
import type { Pool } from '../../platform/database.ts';
import { idsSince, type JournalEntry } from '../../platform/journal-entries.ts';
import { type HasAccounts, livePsps } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import type { HasRiskBook } from './book-keeper.ts';
import { ruleBefore } from './book-store.ts';
import { clientsOf } from './clients.ts';
import { entriesBetween } from './event-store.ts';
import { readEvents } from './events.ts';

export const mostEntries = 1_000_000;
const page = 5000;
const day = 86_400_000;
/** The longest window of a counter, with the whole day in which it begins. */
const warmUpDays = 31;

interface EntryPage {
  readonly entries: readonly JournalEntry[];
  /** Whether it ends at the most that may be read; there may be more. */
  readonly isCut: boolean;
}

/** Pages of entries in order; the database reads the next one while the caller works on the one before. */
async function* entryPages(
  readPage: (after: number, limit: number) => Promise<JournalEntry[]>,
  most: number,
): AsyncGenerator<EntryPage> {
  const begin = (after: number, left: number) => {
    const limit = Math.min(page, left);
    const entries = readPage(after, limit);
    // Awaited with its turn; until then nobody would hear of its failure.
    entries.catch(() => undefined);
    return { entries, limit };
  };
  let next: ReturnType<typeof begin> | undefined = begin(0, most);
  for (let left = most; next !== undefined; ) {
    const entries: readonly JournalEntry[] = await next.entries;
    const isFull: boolean = entries.length === next.limit;
    left -= entries.length;
    next = isFull && left > 0 ? begin(entries.at(-1)?.seq ?? 0, left) : undefined;
    yield { entries, isCut: isFull && left === 0 };
  }
}

/**
 * @param from @param until milliseconds; the second is the first moment after the period
 * @throws OVERLOADED once nobody waits for the result
 */
export async function replay(
  s: Needs<'db'> & HasAccounts & HasRiskBook,
  proposed: RiskRule,
  from: number,
  until: number,
  most = mostEntries,
  pool: Pick<Pool, 'query'> = s.db,
  isAwaited = () => true,
) {
  const before = await ruleBefore(pool, proposed);
  const hash = createHash('sha256');
  const run = new Replay(before && s.riskBook.ready(before.rule), s.riskBook.ready(proposed), (line) =>
    hash.update(line),
  );
  const start = run.counts ? from - warmUpDays * day : from;
  let read = 0;
  let complete = true;
  for (const psp of await livePsps(pool)) {
    if (!complete) break;
    const pages = entryPages(
      (after, limit) => entriesBetween(pool, psp, after, idsSince(start), idsSince(until + 2 * day), limit),
      most - read,
    );
    for await (const { entries, isCut } of pages) {
      if (!isAwaited()) throw refuse('OVERLOADED', 'the service is stopping; nothing was recorded', 1);
      const events = await readEvents(pool, entries);
      const client = await clientsOf(s, pool, events);
      for (const seen of events) {
        const { at } = seen.event;
        if (at >= start && at < until) run.see(seen, client(seen.event), at >= from);
      }
      read += entries.length;
      complete &&= !isCut;
      await pause();
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
