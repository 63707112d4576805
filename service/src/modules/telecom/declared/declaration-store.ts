// All SQL on declarations. A later one supersedes earlier ones of the same account and period; none is ever changed.
import type { PspId } from '../../../core/ids.ts';
import type { FactLoader, RefKey } from '../../../platform/committer.ts';
import type { Database } from '../../../platform/database.ts';
import { cdrDeclarations } from '../../../records/cdr-declarations.ts';
import type { RowOf } from '../../../records/define.ts';
import { type RecordOf, tableOf } from '../../../records/table.ts';
import { row } from '../../kernel/journal.ts';
import type { ListFilter } from '../../kernel/list-filter.ts';

const table = tableOf(cdrDeclarations);
export type Declaration = RecordOf<typeof cdrDeclarations>;

export interface StoredDeclaration extends Declaration {
  /** Whether no later one supersedes it. */
  readonly current: boolean;
}
type FoundDeclaration = RowOf<typeof cdrDeclarations> & { readonly current: boolean };

/** @param lines JSON text; `content` is its hash */
export const declarationRow = (d: Declaration, lines: string) => row('cdr_declarations', { ...table.toRow(d), lines });

const fromRow = (r: FoundDeclaration): StoredDeclaration => ({ ...table.fromRow(r), current: r.current });

/** All columns, and whether a later one supersedes it; of the PSP given as $1. */
const columns = `${table.columns('d')}, NOT EXISTS (
  SELECT 1 FROM cdr_declarations l WHERE l.psp_id = $1 AND l.account_id = d.account_id AND l.period = d.period
    AND l.revision > d.revision) AS current`;

const text = (psp: PspId, account: string, period: string) => `${psp}|${account}|${period}`;

/** The newest declaration of an account and period. Its revision equals that of its row in `refs`. */
export const declarationInForce: FactLoader<RefKey, Declaration> = {
  name: 'declaration-in-force',
  text: (k) => text(k.psp, k.account, k.ref),
  async load(db, keys) {
    const rows = await db.query<FoundDeclaration>(
      `SELECT DISTINCT ON (d.psp_id, d.account_id, d.period) ${table.columns('d')}, true AS current FROM cdr_declarations d
       JOIN unnest($1::uuid[], $2::uuid[], $3::text[]) AS k(p, a, m)
         ON d.psp_id = k.p AND d.account_id = k.a AND d.period = k.m
       ORDER BY d.psp_id, d.account_id, d.period, d.revision DESC`,
      [keys.map((k) => k.psp), keys.map((k) => k.account), keys.map((k) => k.ref)],
    );
    return new Map(rows.map(fromRow).map((d) => [text(d.psp, d.account, d.period), d]));
  },
};

export async function findDeclaration(db: Database, psp: PspId, id: string): Promise<StoredDeclaration | undefined> {
  const [r] = await db.query<FoundDeclaration>(
    `SELECT ${columns} FROM cdr_declarations d WHERE d.psp_id = $1 AND d.id = $2`,
    [psp, id],
  );
  return r && fromRow(r);
}

/** Newest first, superseded ones included. */
export async function listDeclarations(db: Database, f: ListFilter<'period'>): Promise<StoredDeclaration[]> {
  const rows = await db.query<FoundDeclaration>(
    `SELECT ${columns} FROM cdr_declarations d
     WHERE d.psp_id = $1 AND ($2::uuid IS NULL OR d.account_id = $2) AND ($3::text IS NULL OR d.period = $3)
       AND ($4::uuid IS NULL OR d.id < $4)
     ORDER BY d.id DESC LIMIT $5`,
    [f.psp, f.account, f.period, f.before, f.limit],
  );
  return rows.map(fromRow);
}

/** The newest declarations for a period: of one account, or of the PSP and all its clients. */
export async function declarationsInForce(
  db: Database,
  psp: PspId,
  account: string | undefined,
  period: string,
): Promise<StoredDeclaration[]> {
  const rows = await db.query<FoundDeclaration>(
    `SELECT DISTINCT ON (d.account_id) ${table.columns('d')}, true AS current FROM cdr_declarations d
     WHERE d.psp_id = $1 AND ($2::uuid IS NULL OR d.account_id = $2) AND d.period = $3
     ORDER BY d.account_id, d.revision DESC`,
    [psp, account, period],
  );
  return rows.map(fromRow);
}
