// All SQL on declarations. A later one for the same account and period supersedes the one before; none is edited.
import type { DeclaredLine } from '../../../core/cdr/declaration.ts';
import type { FactLoader, RefKey } from '../../../platform/committer.ts';
import type { Database, Row } from '../../../platform/database.ts';
import { row } from '../../kernel/journal.ts';

export interface Declaration {
  readonly psp: string;
  readonly id: string;
  readonly account: string;
  /** The account of the key; null where staff sent it. */
  readonly recordedBy: string | null;
  /** YYYY-MM. */
  readonly period: string;
  /** Counts the declarations of the account and period, from 1. */
  readonly revision: number;
  /** SHA-256 of its lines, hex. */
  readonly content: string;
  readonly lines: readonly DeclaredLine[];
  readonly createdAt: string;
}

export interface StoredDeclaration extends Declaration {
  /** Whether no later one supersedes it. */
  readonly current: boolean;
}

/** @param lines JSON text, what `content` is the hash of */
export const declarationRow = (d: Declaration, lines: string) =>
  row('cdr_declarations', {
    psp_id: d.psp,
    id: d.id,
    account_id: d.account,
    recorded_by: d.recordedBy,
    period: d.period,
    revision: d.revision,
    content: d.content,
    created_at: d.createdAt,
    lines,
  });

const fromRow = (r: Row): StoredDeclaration => ({
  psp: r.psp_id as string,
  id: r.id as string,
  account: r.account_id as string,
  recordedBy: r.recorded_by as string | null,
  period: r.period as string,
  revision: r.revision as number,
  content: r.content as string,
  lines: JSON.parse(r.lines as string) as DeclaredLine[],
  createdAt: r.created_at as string,
  current: r.current as boolean,
});

/** All columns, and whether a later one supersedes it. */
const columns = `d.*, NOT EXISTS (
  SELECT 1 FROM cdr_declarations l WHERE l.psp_id = d.psp_id AND l.account_id = d.account_id AND l.period = d.period
    AND l.revision > d.revision) AS current`;

const text = (psp: string, account: string, period: string) => `${psp}|${account}|${period}`;

/** The declaration in force of an account and period; its revision is that of its ref. */
export const declarationInForce: FactLoader<RefKey, Declaration> = {
  name: 'declaration-in-force',
  text: (k) => text(k.psp, k.account, k.ref),
  async load(db, keys) {
    const rows = await db.query(
      `SELECT DISTINCT ON (d.psp_id, d.account_id, d.period) d.*, true AS current FROM cdr_declarations d
       JOIN unnest($1::uuid[], $2::uuid[], $3::text[]) AS k(p, a, m)
         ON d.psp_id = k.p AND d.account_id = k.a AND d.period = k.m
       ORDER BY d.psp_id, d.account_id, d.period, d.revision DESC`,
      [keys.map((k) => k.psp), keys.map((k) => k.account), keys.map((k) => k.ref)],
    );
    return new Map(rows.map(fromRow).map((d) => [text(d.psp, d.account, d.period), d]));
  },
};

export async function findDeclaration(db: Database, psp: string, id: string): Promise<StoredDeclaration | undefined> {
  const [r] = await db.query(`SELECT ${columns} FROM cdr_declarations d WHERE d.psp_id = $1 AND d.id = $2`, [psp, id]);
  return r && fromRow(r);
}

/** Newest first, superseded ones included. */
export async function listDeclarations(
  db: Database,
  f: {
    psp: string;
    account?: string | undefined;
    period?: string | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<StoredDeclaration[]> {
  const rows = await db.query(
    `SELECT ${columns} FROM cdr_declarations d
     WHERE d.psp_id = $1 AND ($2::uuid IS NULL OR d.account_id = $2) AND ($3::text IS NULL OR d.period = $3)
       AND ($4::uuid IS NULL OR d.id < $4)
     ORDER BY d.id DESC LIMIT $5`,
    [f.psp, f.account ?? null, f.period ?? null, f.before ?? null, f.limit],
  );
  return rows.map(fromRow);
}

/** What is in force of a period: of one account, or of the PSP and all its clients. */
export async function declarationsInForce(
  db: Database,
  psp: string,
  account: string | undefined,
  period: string,
): Promise<StoredDeclaration[]> {
  const rows = await db.query(
    `SELECT DISTINCT ON (d.account_id) d.*, true AS current FROM cdr_declarations d
     WHERE d.psp_id = $1 AND ($2::uuid IS NULL OR d.account_id = $2) AND d.period = $3
     ORDER BY d.account_id, d.revision DESC`,
    [psp, account ?? null, period],
  );
  return rows.map(fromRow);
}
