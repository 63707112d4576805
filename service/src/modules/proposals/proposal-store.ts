// All SQL on proposals.
import { nobody } from '../../core/ids.ts';
import type { FactLoader, RefKey, Row as TableRow } from '../../platform/committer.ts';
import type { Database, Row } from '../../platform/database.ts';
import { row } from '../kernel/journal.ts';

export const proposalKinds = ['TAX', 'FEE', 'FEE_END', 'CORRECTION'] as const;
export const proposalStates = ['OPEN', 'APPROVED', 'REJECTED'] as const;

export interface Proposal {
  /** Tenant of the operator's account that asked. */
  readonly psp: string;
  readonly id: string;
  readonly account: string;
  readonly kind: (typeof proposalKinds)[number];
  /** The country, the fee row's id, or what a correction is about. */
  readonly subject: string;
  /** JSON: the country file, the fee row or its id, or what is to be corrected. */
  readonly content: string;
  readonly reason: string;
  readonly state: (typeof proposalStates)[number];
  /** Actors. */
  readonly proposedBy: string;
  readonly decidedBy: string | null;
  readonly decisionReason: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const proposalRow = (p: Proposal): TableRow =>
  row('proposals', {
    psp_id: p.psp,
    id: p.id,
    account_id: p.account,
    kind: p.kind,
    subject: p.subject,
    content: p.content,
    reason: p.reason,
    state: p.state,
    proposed_by: p.proposedBy,
    decided_by: p.decidedBy,
    decision_reason: p.decisionReason,
    version: p.version,
    created_at: p.createdAt,
    updated_at: p.updatedAt,
  });

const fromRow = (r: Row): Proposal => ({
  psp: r.psp_id as string,
  id: r.id as string,
  account: r.account_id as string,
  kind: r.kind as Proposal['kind'],
  subject: r.subject as string,
  content: r.content as string,
  reason: r.reason as string,
  state: r.state as Proposal['state'],
  proposedBy: r.proposed_by as string,
  decidedBy: r.decided_by as string | null,
  decisionReason: r.decision_reason as string | null,
  version: r.version as number,
  createdAt: r.created_at as string,
  updatedAt: r.updated_at as string,
});

export type Subject = Pick<Proposal, 'kind' | 'subject'>;

/**
 * One country or fee row has one open proposal at a time: its gate counts every change. Rates are of nobody's tenant, and
 * so is the gate of what is proposed about them.
 */
export const gateOf = ({ kind, subject }: Subject): RefKey => ({
  psp: nobody,
  space: 'proposal',
  ref: `${kind}:${subject}`,
  account: nobody,
});

export interface Standing {
  /** Of the gate. */
  readonly revision: number;
  /** The last one about it. */
  readonly latest: Proposal;
}

export const standingOf: FactLoader<Subject, Standing> = {
  name: 'proposal',
  text: (k) => gateOf(k).ref,
  async load(db, keys) {
    const rows = await db.query(
      `SELECT p.*, r.ref, r.revision FROM refs r
       JOIN unnest($2::text[], $3::text[]) AS k(kind, subject) ON r.ref = k.kind || ':' || k.subject
       JOIN LATERAL (
         SELECT p.* FROM proposals p WHERE p.kind = k.kind AND p.subject = k.subject ORDER BY p.id DESC LIMIT 1
       ) p ON true
       WHERE r.psp_id = $1 AND r.space = 'proposal'`,
      [nobody, keys.map((k) => k.kind), keys.map((k) => k.subject)],
    );
    return new Map(rows.map((r) => [r.ref as string, { revision: r.revision as number, latest: fromRow(r) }]));
  },
};

export async function findProposal(db: Database, id: string): Promise<Proposal | undefined> {
  const [r] = await db.query('SELECT * FROM proposals WHERE id = $1', [id]);
  return r && fromRow(r);
}

/** Newest first. @param before id of the last one of the page before */
export async function listProposals(
  db: Database,
  f: { state?: string | undefined; kind?: string | undefined; before?: string | undefined; limit: number },
): Promise<Proposal[]> {
  const rows = await db.query(
    `SELECT * FROM proposals WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR kind = $2)
       AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4`,
    [f.state ?? null, f.kind ?? null, f.before ?? null, f.limit],
  );
  return rows.map(fromRow);
}

/**
 * Holds an open proposal until the transaction ends.
 * @returns the revision of its gate; undefined where it was decided
 */
export async function lockOpen(tx: Database, p: Proposal): Promise<number | undefined> {
  const gate = gateOf(p);
  const [held] = await tx.query<{ revision: number }>(
    'SELECT revision FROM refs WHERE psp_id = $1 AND space = $2 AND ref = $3 AND account_id = $4 FOR UPDATE',
    [gate.psp, gate.space, gate.ref, gate.account],
  );
  // A statement of its own, which sees what was decided while this one waited for the gate.
  const [open] = await tx.query("SELECT 1 FROM proposals WHERE psp_id = $1 AND id = $2 AND state = 'OPEN'", [
    p.psp,
    p.id,
  ]);
  return open && held?.revision;
}
