// Searches the journal for people. Each kind of search has its index; nothing here writes.
import { recordKinds } from '../../core/entry-resources.ts';
import type { EventKind } from '../../core/events.ts';
import type { PspId } from '../../core/ids.ts';
import { type Database, valuesOf } from '../../platform/database.ts';
import { eachPsp, ofOnly } from '../../platform/each-psp.ts';
import {
  type JournalEntry,
  type JournalRow,
  journalColumns,
  journalEntry,
  readJournal,
} from '../../platform/journal-entries.ts';

export interface EntryFilter {
  readonly psps: readonly PspId[];
  readonly kinds?: readonly string[] | undefined;
  readonly account?: string | undefined;
  readonly resource?: string | undefined;
  /** In the form of the entries' actor. */
  readonly actor?: string | undefined;
  /** ISO 8601; ids created at or after, and before. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Leaves out what only operators may see. */
  readonly withoutPrivate?: boolean | undefined;
  readonly limit: number;
}

/** An actor has one form only in an entry's text, because JSON.stringify writes it. */
const privateKind: EventKind = 'client.changed_privately';
const filters = (
  f: EntryFilter,
) => `${f.withoutPrivate ? `j.kind <> '${privateKind}' AND ` : ''}($2::text[] IS NULL OR j.kind = ANY ($2)) AND ($3::uuid IS NULL OR j.account_id = $3)
  AND ($4::text IS NULL OR strpos(j.body, '"by":' || $4 || '},"clientId":') > 0)
  AND ($5::timestamptz IS NULL OR j.id >= uuid_floor($5)) AND ($6::timestamptz IS NULL OR j.id < uuid_floor($6))`;
const columns = journalColumns('j');

const values = (f: EntryFilter) => [
  f.psps,
  f.kinds ?? null,
  f.account ?? null,
  f.actor === undefined ? null : JSON.stringify(f.actor),
  f.from ?? null,
  f.to ?? null,
];

/** Same condition as in the index journal_administration. */
const administration = `j.kind NOT IN (${recordKinds.map((k) => `'${k}'`).join(', ')})`;

const newestOfEach = (where: string, f: EntryFilter) => `SELECT e.* FROM journal_heads p CROSS JOIN LATERAL (
    SELECT ${columns} FROM journal j WHERE j.psp_id = p.psp_id AND ${where} AND ${filters(f)}
      AND ($7::uuid IS NULL OR j.id < $7) ORDER BY j.id DESC LIMIT $8
  ) e WHERE p.psp_id = ANY ($1::uuid[]) ORDER BY e.id DESC LIMIT $8`;

/** Entries that record no business, newest first. @param before id of the last entry of the previous page */
export async function administrationEntries(
  db: Database,
  f: EntryFilter,
  before: string | undefined,
): Promise<JournalEntry[]> {
  const rows = await db.query<JournalRow>(newestOfEach(administration, f), [...values(f), before ?? null, f.limit]);
  return rows.map(journalEntry);
}

/** Entries of any kind about one resource, newest first. */
export async function resourceEntries(
  db: Database,
  f: EntryFilter & { readonly resource: string },
  before: string | undefined,
): Promise<JournalEntry[]> {
  const rows = await db.query<JournalRow>(newestOfEach('j.resource_id = $9', f), [
    ...values(f),
    before ?? null,
    f.limit,
    f.resource,
  ]);
  return rows.map(journalEntry);
}

/**
 * Entries of any kind in one journal's own order, last first. @param before number of the last entry of the previous
 * page
 */
export async function numberedEntries(
  db: Database,
  f: EntryFilter,
  before: number | undefined,
): Promise<JournalEntry[]> {
  const rows = await db.query<JournalRow>(
    `SELECT ${columns} FROM journal j WHERE j.psp_id = ($1::uuid[])[1] AND ${filters(f)}
       AND ($7::bigint IS NULL OR j.seq < $7) ORDER BY j.seq DESC LIMIT $8`,
    [...values(f), before, f.limit],
  );
  return rows.map(journalEntry);
}

/** The account before each of these entries, by the entry's id. */
export async function accountsBefore(
  db: Database,
  entries: readonly JournalEntry[],
): Promise<ReadonlyMap<string, JournalEntry>> {
  if (entries.length === 0) return new Map();
  const text = `SELECT e.id AS "of", b.* FROM unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::uuid[]) AS e(psp, resource, seq, id)
     CROSS JOIN LATERAL (
       SELECT ${columns} FROM journal j WHERE j.psp_id = e.psp AND ${ofOnly('j.psp_id', 5)}
         AND j.resource_id = e.resource AND j.seq < e.seq AND j.kind IN ('client.created', 'client.updated')
       ORDER BY j.seq DESC LIMIT 1
     ) b`;
  const rows = await eachPsp(
    db,
    entries,
    (e) => e.psp,
    (of, psp) => db.query<JournalRow & { of: string }>(text, [...valuesOf(of, 'psp', 'resource', 'seq', 'id'), psp]),
  );
  return new Map(rows.map((r) => [r.of, journalEntry(r)]));
}

/** All entries about some resources of one PSP, in order. */
export const entriesAbout = (db: Database, psp: PspId, resources: readonly string[]): Promise<JournalEntry[]> =>
  readJournal(db, 'WHERE psp_id = $1 AND resource_id = ANY ($2::uuid[]) ORDER BY seq', [psp, resources]);
