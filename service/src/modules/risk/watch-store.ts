// All SQL on matches and on recent activity. Both follow from the journal: its reader alone writes them, with its cursor.
import { isoTime } from '../../core/calendar.ts';
import type { AccountId, PspId } from '../../core/ids.ts';
import { activityText } from '../../core/risk/activity.ts';
import type { CounterValue, Dimension } from '../../core/risk/counters.ts';
import { type Activities, activityName } from '../../core/risk/watch.ts';
import { type Database, only, valuesOf } from '../../platform/database.ts';
import { ofOnly, onlyPsp } from '../../platform/each-psp.ts';

/** Named for what it has always written: with another name it would read every journal again. */
export const riskReader = 'reviews';

export interface ActivityKey {
  readonly psp: PspId;
  readonly of: Dimension;
  readonly key: string;
}

/** The stored activities of keys, as text by name; those never seen are absent. */
export async function activityTexts(db: Database, keys: readonly ActivityKey[]): Promise<Map<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await db.query<{ psp: PspId; of: Dimension; key: string; state: string }>(
    `SELECT a.psp_id AS psp, a.dimension AS of, a.key, a.state
     FROM unnest($1::uuid[], $2::text[], $3::text[]) AS k(p, d, v)
     JOIN risk_activity a ON a.psp_id = k.p AND a.dimension = k.d AND a.key = k.v`,
    valuesOf(keys, 'psp', 'of', 'key'),
  );
  return new Map(rows.map((r) => [activityName(r.psp, r.of, r.key), r.state]));
}

export interface CountedKey extends ActivityKey {
  /** Null where the key was never seen. */
  readonly state: string | null;
  /** The last entry of the PSP that is counted in it. */
  readonly seq: number;
  readonly revision: number;
}

/**
 * Activities with what they count, in one statement, so that all of it is of the same moment.
 * @param gates the ref of each key's gate
 */
export const countedUpTo = (
  db: Database,
  keys: readonly ActivityKey[],
  gates: readonly string[],
): Promise<CountedKey[]> =>
  db.query<CountedKey>(
    `SELECT k.p AS psp, k.d AS of, k.v AS key, a.state, coalesce(c.seq, 0) AS seq, coalesce(g.revision, 0) AS revision
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS k(p, d, v, g)
     LEFT JOIN journal_cursors c ON c.psp_id = k.p AND c.reader = '${riskReader}' AND ${ofOnly('c.psp_id', 5)}
     LEFT JOIN risk_activity a ON a.psp_id = k.p AND a.dimension = k.d AND a.key = k.v AND ${ofOnly('a.psp_id', 5)}
     LEFT JOIN refs g ON g.psp_id = k.p AND g.space = 'risk' AND g.ref = k.g AND g.account_id = k.p
       AND ${ofOnly('g.psp_id', 5)}`,
    [...valuesOf(keys, 'psp', 'of', 'key'), gates, onlyPsp(db, keys)],
  );

/** The end of a moment's day: the same with each record of a day, which PostgreSQL then does not log again. */
const endOfDay = (at: number): string => isoTime((Math.floor(at / 86_400_000) + 1) * 86_400_000);

/** An activity as it was stored. */
export interface Stored extends ActivityKey {
  readonly name: string;
  readonly text: string;
}

/** @returns those that there are */
export async function storeActivities(
  tx: Database,
  keys: readonly ActivityKey[],
  activities: Activities,
): Promise<readonly Stored[]> {
  const known = keys.flatMap((k) => {
    const name = activityName(k.psp, k.of, k.key);
    const a = activities.get(name);
    return a ? [{ ...k, name, text: activityText(a), last: endOfDay(a.last) }] : [];
  });
  if (known.length === 0) return [];
  await tx.query(
    `INSERT INTO risk_activity AS a (psp_id, dimension, key, state, last_at)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
     ON CONFLICT (psp_id, dimension, key) DO UPDATE SET state = excluded.state, last_at = excluded.last_at`,
    valuesOf(known, 'psp', 'of', 'key', 'text', 'last'),
  );
  return known;
}

export interface StoredMatch {
  readonly psp: PspId;
  readonly record: string;
  readonly rule: string;
  readonly version: number;
  readonly operation: string;
  readonly account: AccountId;
  readonly shadow: boolean;
  readonly currency: string;
  readonly amount: string;
  readonly counters: Readonly<Record<string, CounterValue>>;
  readonly at: string;
}

/** Rows for the matches of a rule and client on a day, unless the rule opens reviews; further ones are only counted. */
const mostKept = 100;

interface DayOfMatches {
  readonly psp: PspId;
  readonly rule: string;
  readonly version: number;
  readonly day: string;
  readonly account: AccountId;
  matches: number;
}

const dayText = (d: Omit<DayOfMatches, 'matches'>) => `${d.psp} ${d.rule} ${d.version} ${d.day} ${d.account}`;
const dayOfMatch = (m: StoredMatch) => ({
  psp: m.psp,
  rule: m.rule,
  version: m.version,
  day: m.at.slice(0, 10),
  account: m.account,
});

/** Counts matches, and stores them: all that opened reviews, of the others the first ones of a day. */
export async function keepMatches(tx: Database, matches: readonly (StoredMatch & { readonly all: boolean })[]) {
  if (matches.length === 0) return;
  const days = new Map<string, DayOfMatches>();
  for (const m of matches) {
    const d = dayOfMatch(m);
    days.set(dayText(d), { ...d, matches: 0 });
  }
  const of = <T>(read: (d: DayOfMatches) => T): T[] => [...days.values()].map(read);
  const keys = [of((d) => d.psp), of((d) => d.rule), of((d) => d.version), of((d) => d.day), of((d) => d.account)];
  const columns = '$1::uuid[], $2::text[], $3::int[], $4::date[], $5::uuid[]';
  for (const known of await tx.query<DayOfMatches>(
    `SELECT c.psp_id AS psp, c.rule, c.version, to_char(c.day, 'YYYY-MM-DD') AS day, c.account_id AS account, c.matches
     FROM unnest(${columns}) AS k(p, r, v, d, a) JOIN risk_match_counts c
       ON c.psp_id = k.p AND c.rule = k.r AND c.version = k.v AND c.day = k.d AND c.account_id = k.a`,
    keys,
  ))
    days.set(dayText(known), { ...known });
  const kept = matches.filter((m) => {
    const d = days.get(dayText(dayOfMatch(m))) as DayOfMatches;
    d.matches++;
    return m.all || d.matches <= mostKept;
  });
  await tx.query(
    `INSERT INTO risk_match_counts (psp_id, rule, version, day, account_id, matches)
     SELECT * FROM unnest(${columns}, $6::bigint[])
     ON CONFLICT (psp_id, rule, version, day, account_id) DO UPDATE SET matches = excluded.matches`,
    [...keys, of((d) => d.matches)],
  );
  await storeMatches(tx, kept);
}

/** Once for each record, rule and version. */
async function storeMatches(tx: Database, matches: readonly StoredMatch[]): Promise<void> {
  if (matches.length === 0) return;
  const of = <T>(read: (m: StoredMatch) => T): T[] => matches.map(read);
  await tx.query(
    `INSERT INTO risk_matches
       (psp_id, record_id, rule, version, operation, account_id, shadow, currency, amount, counters, matched_at)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::uuid[], $7::boolean[], $8::text[],
       $9::numeric[], $10::text[], $11::timestamptz[]) ON CONFLICT DO NOTHING`,
    [
      of((m) => m.psp),
      of((m) => m.record),
      of((m) => m.rule),
      of((m) => m.version),
      of((m) => m.operation),
      of((m) => m.account),
      of((m) => m.shadow),
      of((m) => m.currency),
      of((m) => m.amount),
      of((m) => JSON.stringify(m.counters)),
      of((m) => m.at),
    ],
  );
}

/** What rules in force matched a record, oldest rule first. */
export const matchesOf = async (db: Database, psp: PspId, record: string) =>
  (
    await db.query<{ rule: string; version: number; counters: string; at: string }>(
      `SELECT rule, version, counters, matched_at AS at FROM risk_matches
       WHERE psp_id = $1 AND record_id = $2 AND NOT shadow ORDER BY rule, version`,
      [psp, record],
    )
  ).map(({ counters, ...m }) => ({ ...m, counters: JSON.parse(counters) as StoredMatch['counters'] }));

/** Matches by rule and version since a day. */
export const matchCounts = (
  db: Database,
  psps: readonly PspId[],
  since: string,
): Promise<{ rule: string; version: number; matches: number }[]> =>
  db.query(
    `SELECT rule, version, sum(matches)::bigint AS matches FROM risk_match_counts
     WHERE psp_id = ANY ($1::uuid[]) AND day >= $2 GROUP BY rule, version ORDER BY rule, version`,
    [psps, since],
  );

/** Removes what no window reaches any more, and matches of that time. @returns the number of rows */
export async function removePast(db: Database, psp: PspId, before: string): Promise<number> {
  const removed = await db.query<{ n: number }>(
    `WITH a AS (DELETE FROM risk_activity WHERE psp_id = $1 AND last_at < $2 RETURNING 1),
       m AS (DELETE FROM risk_matches WHERE psp_id = $1 AND matched_at < $2 RETURNING 1),
       c AS (DELETE FROM risk_match_counts WHERE psp_id = $1 AND day < $2::date RETURNING 1)
     SELECT (SELECT count(*) FROM a) + (SELECT count(*) FROM m) + (SELECT count(*) FROM c) AS n`,
    [psp, before],
  );
  return only(removed).n;
}
