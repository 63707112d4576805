// All SQL on cases, their items and their files.
import type { Case } from '../../core/cases/case.ts';
import { type PspId, toWire } from '../../core/ids.ts';
import type { Review } from '../../core/risk/review.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import type { Database } from '../../platform/database.ts';
import { caseItems, cases } from '../../records/cases.ts';
import type { RowOf } from '../../records/define.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { type IdKey, idText, recordById } from '../kernel/facts.ts';
import { row } from '../kernel/journal.ts';
import { firstConfirmed, unresolved } from '../reviews/index.ts';

const table = tableOf(cases);
const itemNames = { case_id: 'caseId', about_id: 'about' } as const;
const items = tableOf(caseItems, itemNames);

export type CaseItem = RecordOf<typeof caseItems, typeof itemNames>;

export const caseRow = (c: Case) => row('cases', table.toRow(c));
export const itemRow = (i: CaseItem) => row('case_items', items.toRow(i));

/** Gate of a case. Its revision is the case's version. */
export const caseRef = (c: Pick<Case, 'psp' | 'account' | 'id'>): RefKey => ({
  psp: c.psp,
  space: 'case',
  ref: c.id,
  account: c.account,
});

export const caseOf = recordById('case', cases, table);

/** Most alerts that one commit resolves, which takes some milliseconds. A case may have thousands. */
export const alertsAtOnce = 200;

/** The alerts of a case that nobody has resolved, the oldest first, as many as end in a commit. */
export const openAlertsOf: FactLoader<IdKey, readonly Review[]> = {
  name: 'open-alerts',
  text: idText,
  async load(db, keys) {
    const found = new Map<string, readonly Review[]>();
    for (const k of keys) {
      const rows = await db.query<{ about: string }>(
        "SELECT about_id AS about FROM case_items WHERE psp_id = $1 AND case_id = $2 AND kind = 'ALERT' ORDER BY id",
        [k.psp, k.id],
      );
      found.set(
        idText(k),
        await unresolved(
          db,
          k.psp,
          rows.map((r) => r.about),
          alertsAtOnce,
        ),
      );
    }
    return found;
  },
};

/** @param psp undefined for staff, who may see any PSP's */
export const findCase = (db: Database, psp: PspId | undefined, id: string): Promise<Case | undefined> =>
  table.find(db, 'WHERE id = $1 AND ($2::uuid IS NULL OR psp_id = $2)', [id, psp]);

/**
 * The first case that keeps the data of one of these persons: an open one, or one that was confirmed or reported, or an alert
 * of which was confirmed, and closed since. @param clients those whose own cases are meant
 */
export async function findHeldCase(
  db: Database,
  psp: PspId,
  persons: readonly string[],
  clients: readonly string[],
  since: string,
): Promise<Case | undefined> {
  const found = await table.read(
    db,
    `WHERE psp_id = $1 AND (person = ANY ($2) OR (person IS NULL AND account_id = ANY ($3::uuid[])))
       AND (state <> 'CLOSED' OR closed_at >= $4) ORDER BY state = 'CLOSED', id`,
    [psp, persons, clients, since],
  );
  for (const c of found) {
    if (c.state !== 'CLOSED' || c.outcome === 'CONFIRMED') return c;
    const inside = await itemsOf(db, c);
    // An alert stays confirmed where its case was reopened and cleared, or was cleared from the start.
    const alerts = inside.flatMap((i) => (i.kind === 'ALERT' ? (i.about ?? []) : []));
    if (inside.some(isReport) || (await firstConfirmed(db, psp, alerts))) return c;
  }
  return undefined;
}

const isReport = (i: CaseItem): boolean => i.kind === 'FILE' && i.content.step === 'str';

/** Those that are not closed, of any PSP. @param actor `usr_…` */
export const casesAssignedTo = (db: Database, actor: string): Promise<Case[]> =>
  table.read(db, `WHERE assignee = $1 AND state <> 'CLOSED' ORDER BY id`, [actor]);

/** Oldest first, with the links to it from other cases: each is then about the case that it was made in. */
export async function itemsOf(db: Database, c: Pick<Case, 'psp' | 'id'>): Promise<CaseItem[]> {
  const found = await items.read(
    db,
    "WHERE psp_id = $1 AND (case_id = $2 OR (kind = 'LINK' AND about_id = $3)) ORDER BY id",
    [c.psp, c.id, toWire('case', c.id)],
  );
  return found.map((i) => (i.caseId === c.id ? i : { ...i, about: toWire('case', i.caseId) }));
}

/** The alert (`rev_…`) that opened each of these cases, by the case's id; none for one without alerts. */
export const firstAlerts = async (db: Database, of: readonly Case[]): Promise<ReadonlyMap<string, string>> =>
  new Map(
    (
      await db.query<{ id: string; about: string }>(
        `SELECT c.id, i.about_id AS about FROM cases c CROSS JOIN LATERAL (
           SELECT about_id FROM case_items i WHERE i.psp_id = c.psp_id AND i.case_id = c.id AND i.kind = 'ALERT'
           ORDER BY i.id LIMIT 1
         ) i WHERE c.psp_id = ANY ($1::uuid[]) AND c.id = ANY ($2::uuid[])`,
        [[...new Set(of.map((c) => c.psp))], of.map((c) => c.id)],
      )
    ).map((r) => [r.id, r.about]),
  );

export const findItem = (db: Database, c: Pick<Case, 'psp' | 'id'>, id: string): Promise<CaseItem | undefined> =>
  items.find(db, 'WHERE psp_id = $1 AND case_id = $2 AND id = $3', [c.psp, c.id, id]);

/** Which of these alerts are in a case already. @param alerts wire ids */
export async function alertsInCases(db: Database, psp: PspId, alerts: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ about: string }>(
    `SELECT about_id AS about FROM case_items WHERE psp_id = $1 AND about_id = ANY ($2) AND kind = 'ALERT'`,
    [psp, alerts],
  );
  return new Set(rows.map((r) => r.about));
}

/**
 * Locks the open case of a client or person until the transaction ends: the latest, if there are several.
 * @param person null for the case of the client
 */
export async function lockOpenCase(tx: Database, psp: PspId, account: string, person: string | null) {
  const open = 'WHERE psp_id = $1 AND account_id = $2 AND person IS NOT DISTINCT FROM $3 AND state <> ';
  const [seen] = await table.read(tx, `${open} 'CLOSED' ORDER BY id DESC LIMIT 1`, [psp, account, person]);
  if (!seen) return undefined;
  const gate = caseRef(seen);
  await tx.query('SELECT 1 FROM refs WHERE psp_id = $1 AND space = $2 AND ref = $3 AND account_id = $4 FOR UPDATE', [
    ...[gate.psp, gate.space, gate.ref, gate.account],
  ]);
  // A separate statement, to see what was decided while this one waited for the gate.
  return table.find(tx, `${open} 'CLOSED' AND id = $4`, [psp, account, person, seen.id]);
}

/** The number of the PSP's next case. Only the reader of alerts opens cases, one PSP's at a time. */
export async function nextNumber(tx: Database, psp: PspId): Promise<number> {
  const [r] = await tx.query<{ n: number }>('SELECT coalesce(max(number), 0) + 1 AS n FROM cases WHERE psp_id = $1', [
    psp,
  ]);
  return r?.n ?? 1;
}

export interface CaseFilter {
  readonly psps: readonly PspId[];
  readonly account?: string | undefined;
  readonly open?: boolean | undefined;
  readonly state?: string | undefined;
  readonly severity?: string | undefined;
  readonly queue?: string | undefined;
  readonly outcome?: string | undefined;
  /** An actor; null for unassigned ones. */
  readonly assignee?: string | null | undefined;
  /** Only those due before then, ISO 8601. */
  readonly dueBefore?: string | undefined;
  /** The last one of the page before. */
  readonly after?: Case | undefined;
  readonly limit: number;
}

/** Open ones first, by when they are due; then closed ones, the last closed first. Each half is read in the order of its index. */
export async function listCases(db: Database, f: CaseFilter): Promise<Case[]> {
  const { after, limit } = f;
  const past = after?.state === 'CLOSED';
  const open =
    past || f.open === false || f.state === 'CLOSED'
      ? []
      : await half(db, f, {
          where: `c.state <> 'CLOSED' AND ($9::timestamptz IS NULL OR c.due_at < $9)
            AND ($10::uuid IS NULL OR (c.due_at, c.id) > ($11::timestamptz, $10))`,
          order: (of) => `${of}.due_at, ${of}.id`,
          values: [f.dueBefore, after?.id, after?.dueAt],
          limit,
        });
  if (open.length === limit || f.open === true || f.dueBefore !== undefined) return open;
  const closed = await half(db, f, {
    where: `c.state = 'CLOSED' AND ($9::uuid IS NULL OR (c.closed_at, c.id) < ($10::timestamptz, $9))`,
    order: (of) => `${of}.closed_at DESC, ${of}.id DESC`,
    values: past ? [after.id, after.closedAt] : [null, null],
    limit: limit - open.length,
  });
  return [...open, ...closed];
}

/** @param h.values from $9 on */
async function half(
  db: Database,
  f: CaseFilter,
  h: { where: string; order: (of: string) => string; values: readonly unknown[]; limit: number },
): Promise<Case[]> {
  const rows = await db.query<RowOf<typeof cases>>(
    `SELECT e.* FROM journal_heads p CROSS JOIN LATERAL (
       SELECT ${table.columns('c')} FROM cases c
       WHERE c.psp_id = p.psp_id AND ($2::uuid IS NULL OR c.account_id = $2) AND ($3::text IS NULL OR c.state = $3)
         AND ($4::text IS NULL OR c.severity = $4) AND ($5::text IS NULL OR c.queue = $5)
         AND ($6::text IS NULL OR c.assignee = $6) AND ($7::boolean IS NOT TRUE OR c.assignee IS NULL)
         AND ($8::text IS NULL OR c.outcome = $8) AND ${h.where}
       ORDER BY ${h.order('c')} LIMIT ${h.limit}
     ) e WHERE p.psp_id = ANY ($1::uuid[]) ORDER BY ${h.order('e')} LIMIT ${h.limit}`,
    [f.psps, f.account, f.state, f.severity, f.queue, f.assignee, f.assignee === null, f.outcome, ...h.values],
  );
  return rows.map(table.fromRow);
}

/** In the transaction of its item. */
export async function insertFile(tx: Database, psp: PspId, id: string, sealed: string): Promise<void> {
  await tx.query('INSERT INTO case_files (psp_id, id, sealed) VALUES ($1, $2, $3)', [psp, id, sealed]);
}

export async function readFile(db: Database, psp: PspId, id: string): Promise<string | undefined> {
  const [found] = await db.query<{ sealed: string }>('SELECT sealed FROM case_files WHERE psp_id = $1 AND id = $2', [
    psp,
    id,
  ]);
  return found?.sealed;
}
