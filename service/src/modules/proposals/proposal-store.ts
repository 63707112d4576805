// All SQL on proposals.
import { nobody, type PspId } from '../../core/ids.ts';
import { readEntry } from '../../entries/read.ts';
import type { FactLoader, RefKey, Row as TableRow } from '../../platform/committer.ts';
import { type Database, only } from '../../platform/database.ts';
import type { RowOf } from '../../records/define.ts';
import { proposals } from '../../records/proposals.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { row } from '../kernel/journal.ts';

const table = tableOf(proposals);
export type Proposal = RecordOf<typeof proposals>;

export const proposalRow = (p: Proposal): TableRow => row('proposals', table.toRow(p));

export type Subject = Pick<Proposal, 'kind' | 'subject'>;

/**
 * The ref that every change of the proposals about one subject, such as a country or a fee, raises by one, so that a subject has at
 * most one open proposal. Rates are those of all PSPs, and so are these refs.
 */
export const gateOf = ({ kind, subject }: Subject): RefKey => ({
  psp: nobody,
  space: 'proposal',
  ref: `${kind}:${subject}`,
  account: nobody,
});

export interface Standing {
  /** The gate's revision. */
  readonly revision: number;
  /** The last proposal about it. */
  readonly latest: Proposal;
}

export const standingOf: FactLoader<Subject, Standing> = {
  name: 'proposal',
  text: (k) => gateOf(k).ref,
  async load(db, keys) {
    const rows = await db.query<RowOf<typeof proposals> & { ref: string; revision: number }>(
      `SELECT ${table.columns('p')}, r.ref, r.revision FROM refs r
       JOIN unnest($2::text[], $3::text[]) AS k(kind, subject) ON r.ref = k.kind || ':' || k.subject
       JOIN LATERAL (
         SELECT p.* FROM proposals p WHERE p.kind = k.kind AND p.subject = k.subject ORDER BY p.id DESC LIMIT 1
       ) p ON true
       WHERE r.psp_id = $1 AND r.space = 'proposal'`,
      [nobody, keys.map((k) => k.kind), keys.map((k) => k.subject)],
    );
    return new Map(rows.map((r) => [r.ref, { revision: r.revision, latest: table.fromRow(r) }]));
  },
};

/** How often the same was approved again after a proposal that was approved. */
export const approvedSince = async (db: Database, p: Proposal): Promise<number> =>
  only(
    await db.query<{ since: number }>(
      `SELECT count(*)::int AS since FROM proposals
       WHERE kind = $1 AND subject = $2 AND state = 'APPROVED' AND content = $3 AND id > $4`,
      [p.kind, p.subject, p.content, p.id],
    ),
  ).since;

/** The hash of the file that was in force when a file of tax rules was proposed; undefined if its entry does not say. */
export async function baseOf(db: Database, p: Proposal): Promise<string | undefined> {
  const [found] = await db.query<{ body: string }>(
    "SELECT body FROM journal WHERE psp_id = $1 AND resource_id = $2 AND kind = 'proposal.opened'",
    [p.psp, p.id],
  );
  return found && readEntry(found.body, ['proposal.opened/1']).evidence?.base;
}

export const findProposal = (db: Database, id: string): Promise<Proposal | undefined> =>
  table.find(db, 'WHERE id = $1', [id]);

/** Newest first. @param before id of the last one on the previous page */
export const listProposals = (
  db: Database,
  f: {
    /** Only erasures of this PSP. */
    psp?: PspId | undefined;
    state?: string | undefined;
    kind?: string | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<Proposal[]> =>
  table.read(
    db,
    `WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR kind = $2)
       AND ($3::uuid IS NULL OR id < $3) AND ($5::uuid IS NULL OR (psp_id = $5 AND kind = 'ERASURE')) ORDER BY id DESC LIMIT $4`,
    [f.state, f.kind, f.before, f.limit, f.psp],
  );

/**
 * Locks a proposal until the transaction ends.
 * @returns its gate with the revision; undefined if its state is another one meanwhile
 */
export async function lockGate(
  tx: Database,
  p: Proposal,
  state: Proposal['state'],
): Promise<(RefKey & { readonly revision: number }) | undefined> {
  const gate = gateOf(p);
  const [held] = await tx.query<{ revision: number }>(
    'SELECT revision FROM refs WHERE psp_id = $1 AND space = $2 AND ref = $3 AND account_id = $4 FOR UPDATE',
    [gate.psp, gate.space, gate.ref, gate.account],
  );
  // A separate statement, to see what was decided while this one waited for the gate.
  const [still] = await tx.query('SELECT 1 FROM proposals WHERE psp_id = $1 AND id = $2 AND state = $3', [
    p.psp,
    p.id,
    state,
  ]);
  return still && held && { ...gate, revision: held.revision };
}
