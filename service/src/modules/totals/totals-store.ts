// All SQL on daily totals: adding a batch of the journal, replacing a PSP's totals, reading them.
import type { PspId } from '../../core/ids.ts';
import type { Part, Place } from '../../core/totals/figures.ts';
import { type Cell, figure, type Tally } from '../../core/totals/tally.ts';
import type { Database } from '../../platform/database.ts';
import { type TransactionRow, transactionColumns } from '../../records/transaction-rows.ts';

export interface Redated {
  readonly day: string;
  readonly transaction: string;
}

const placeColumns = ['day', 'country', 'account_id', 'currency', 'kind', 'verdict', 'product_line', 'rule'] as const;
export const figureColumns = {
  amounts: ['gross', 'vat', 'processing_fee', 'transaction_fee', 'transaction_vat', 'net'],
  taxes: ['taxable', 'tax'],
  accruals: ['contribution'],
} as const satisfies Record<Part['part'], readonly string[]>;
export const tableOf = {
  amounts: 'daily_totals',
  taxes: 'daily_tax_totals',
  accruals: 'daily_accrual_totals',
} as const satisfies Record<Part['part'], string>;

const placeTypes = ['date', 'text', 'uuid', 'text', 'text', 'text', 'text', 'text'];

/** Adds to existing cells and creates missing ones. */
function addSql(part: Part['part']): string {
  const figures = figureColumns[part];
  const columns = [...placeColumns, 'count', ...figures];
  const types = [...placeTypes, 'bigint', ...figures.map(() => 'numeric')];
  const given = types.map((t, i) => `$${i + 2}::${t}[]`).join(', ');
  const read = columns
    .map((c) => ((figures as readonly string[]).includes(c) ? `trim_scale(c.${c})` : `c.${c}`))
    .join(', ');
  const sums = figures.map((c) => `${c} = trim_scale(t.${c} + excluded.${c})`).join(', ');
  return `INSERT INTO ${tableOf[part]} AS t (psp_id, ${columns.join(', ')})
    SELECT $1, ${read} FROM unnest(${given}) AS c(${columns.join(', ')})
    ON CONFLICT (psp_id, ${placeColumns.join(', ')}) DO UPDATE SET count = t.count + excluded.count, ${sums}`;
}
const addToTable = { amounts: addSql('amounts'), taxes: addSql('taxes'), accruals: addSql('accruals') };
const parts = ['amounts', 'taxes', 'accruals'] as const;

const placeValues = (p: Place, rule: string) => [
  p.day,
  p.country,
  p.account,
  p.currency,
  p.kind,
  p.verdict,
  p.productLine,
  rule,
];

export async function addCells(tx: Database, psp: PspId, tally: Tally): Promise<void> {
  for (const part of parts) {
    const cells = tally.cells(part);
    if (cells.length === 0) continue;
    const rows = cells.map((c) => [
      ...placeValues(c.place, c.rule),
      c.count,
      ...figureColumns[part].map((_, i) => figure(c, i)),
    ]);
    const columns = (rows[0] as unknown[]).map((_, i) => rows.map((r) => r[i]));
    await tx.query(addToTable[part], [psp, ...columns]);
  }
}

export async function addRedated(tx: Database, psp: PspId, redated: readonly Redated[]): Promise<void> {
  if (redated.length === 0) return;
  await tx.query(
    `INSERT INTO redated_transactions (psp_id, day, transaction_id)
     SELECT $1, * FROM unnest($2::date[], $3::uuid[]) ON CONFLICT DO NOTHING`,
    [psp, redated.map((r) => r.day), redated.map((r) => r.transaction)],
  );
}

export async function dropTotals(tx: Database, psp: PspId): Promise<void> {
  for (const table of [...Object.values(tableOf), 'redated_transactions'])
    await tx.query(`DELETE FROM ${table} WHERE psp_id = $1`, [psp]);
}

/** All stored cells of a PSP, by the text of their place: count and figures. */
export async function storedCells(db: Database, psp: PspId): Promise<Map<string, string>> {
  const out = new Map<string, string>();
  for (const part of parts) {
    const rows = await db.query(
      `SELECT ${['day::text AS day', ...placeColumns.slice(1), 'count', ...figureColumns[part].map((c) => `trim_scale(${c}) AS ${c}`)].join(', ')}
       FROM ${tableOf[part]} WHERE psp_id = $1`,
      [psp],
    );
    for (const r of rows) {
      const place = [part, ...placeColumns.map((c) => r[c])].join(' ');
      out.set(place, [r.count, ...figureColumns[part].map((c) => r[c])].join(' '));
    }
  }
  return out;
}

/** A cell in the form of `storedCells`. */
export function cellText(c: Cell, canonical: (text: string) => string): [string, string] {
  const figures = figureColumns[c.part].map((_, i) => canonical(figure(c, i)));
  return [[c.part, ...placeValues(c.place, c.rule)].join(' '), [c.count, ...figures].join(' ')];
}

export interface RevisionKey {
  readonly id: string;
  readonly revision: number;
}

/** Transactions as of a revision that another one followed. */
export function revisionRows(db: Database, psp: PspId, keys: readonly RevisionKey[]): Promise<TransactionRow[]> {
  return db.query(
    `SELECT ${transactionColumns('t')} FROM transaction_revisions t
     JOIN unnest($2::uuid[], $3::integer[]) AS k(id, revision) ON t.id = k.id AND t.revision = k.revision
     WHERE t.psp_id = $1`,
    [psp, keys.map((k) => k.id), keys.map((k) => k.revision)],
  );
}

export async function productLines(
  db: Database,
  psp: PspId,
  wagers: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; product_line: string }>(
    'SELECT id, product_line FROM wagers WHERE psp_id = $1 AND id = ANY ($2::uuid[])',
    [psp, wagers],
  );
  return new Map(rows.map((r) => [r.id, r.product_line]));
}

/** PSPs with at least one journal entry. */
export async function pspsWithEntries(db: Database): Promise<string[]> {
  const rows = await db.query<{ psp_id: string }>('SELECT psp_id FROM journal_heads ORDER BY psp_id');
  return rows.map((r) => r.psp_id);
}
