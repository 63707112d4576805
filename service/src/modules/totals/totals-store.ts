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
  const given = ['uuid', ...types].map((t, i) => `$${i + 1}::${t}[]`).join(', ');
  const read = columns
    .map((c) => ((figures as readonly string[]).includes(c) ? `trim_scale(c.${c})` : `c.${c}`))
    .join(', ');
  const sums = figures.map((c) => `${c} = trim_scale(t.${c} + excluded.${c})`).join(', ');
  return `INSERT INTO ${tableOf[part]} AS t (psp_id, ${columns.join(', ')})
    SELECT c.psp_id, ${read} FROM unnest(${given}) AS c(psp_id, ${columns.join(', ')})
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

/** Adds the sums of several PSPs to their totals. */
export async function addCells(tx: Database, of: readonly { psp: PspId; tally: Tally }[]): Promise<void> {
  for (const part of parts) {
    const rows = of.flatMap(({ psp, tally }) =>
      tally
        .cells(part)
        .map((c) => [
          psp,
          ...placeValues(c.place, c.rule),
          c.count,
          ...figureColumns[part].map((_, i) => figure(c, i)),
        ]),
    );
    const [first] = rows;
    if (first)
      await tx.query(
        addToTable[part],
        first.map((_, i) => rows.map((r) => r[i])),
      );
  }
}

export async function addRedated(tx: Database, of: readonly { psp: PspId; redated: readonly Redated[] }[]) {
  const rows = of.flatMap(({ psp, redated }) => redated.map((r) => ({ psp, ...r })));
  if (rows.length === 0) return;
  await tx.query(
    `INSERT INTO redated_transactions (psp_id, day, transaction_id)
     SELECT * FROM unnest($1::uuid[], $2::date[], $3::uuid[]) ON CONFLICT DO NOTHING`,
    [rows.map((r) => r.psp), rows.map((r) => r.day), rows.map((r) => r.transaction)],
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
  readonly psp: PspId;
  readonly id: string;
  readonly revision: number;
}

/** Transactions as of a revision that another one followed. */
export function revisionRows(db: Database, keys: readonly RevisionKey[]): Promise<TransactionRow[]> {
  return db.query(
    `SELECT ${transactionColumns('t')} FROM transaction_revisions t
     JOIN unnest($1::uuid[], $2::uuid[], $3::integer[]) AS k(psp_id, id, revision)
       ON t.psp_id = k.psp_id AND t.id = k.id AND t.revision = k.revision`,
    [keys.map((k) => k.psp), keys.map((k) => k.id), keys.map((k) => k.revision)],
  );
}

export async function productLines(
  db: Database,
  wagers: readonly { readonly psp: PspId; readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query<{ id: string; product_line: string }>(
    `SELECT w.id, w.product_line FROM unnest($1::uuid[], $2::uuid[]) AS k(psp_id, id)
     JOIN wagers w ON w.psp_id = k.psp_id AND w.id = k.id`,
    [wagers.map((w) => w.psp), wagers.map((w) => w.id)],
  );
  return new Map(rows.map((r) => [r.id, r.product_line]));
}

/** PSPs with at least one journal entry. */
export async function pspsWithEntries(db: Database): Promise<string[]> {
  const rows = await db.query<{ psp_id: string }>('SELECT psp_id FROM journal_heads ORDER BY psp_id');
  return rows.map((r) => r.psp_id);
}
