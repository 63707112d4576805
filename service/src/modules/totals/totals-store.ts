// All SQL on daily totals: adding a batch of the journal, replacing a PSP's totals, reading them.
import { hash } from 'node:crypto';
import { type PspId, toWire } from '../../core/ids.ts';
import { methodsNotHeld } from '../../core/payments.ts';
import type { Part, Place } from '../../core/totals/figures.ts';
import { type Cell, figure, type Tally } from '../../core/totals/tally.ts';
import type { Database } from '../../platform/database.ts';
import { type TransactionRow, transactionColumns } from '../../records/transaction-rows.ts';

export interface Redated {
  readonly day: string;
  readonly transaction: string;
}

const placeColumns = ['day', 'country', 'account_id', 'currency', 'kind', 'verdict', 'product_line'] as const;
export const figureColumns = {
  amounts: ['gross', 'vat', 'processing_fee', 'transaction_fee', 'transaction_vat', 'net', ...methodsNotHeld],
  taxes: ['taxable', 'tax'],
  accruals: ['contribution'],
} as const satisfies Record<Part['part'], readonly string[]>;
/** Each part of the rows by itself: its rule and count are named alike. */
export const viewOf = {
  amounts: 'totals_by_fee',
  taxes: 'totals_by_tax',
  accruals: 'totals_by_accrual',
} as const satisfies Record<Part['part'], string>;
const parts = ['amounts', 'taxes', 'accruals'] as const;

const taxSums = ['taxed', ...figureColumns.taxes];

/**
 * What a row has beside each other: the sums of a fee row, of two tax rules, since many sales bear two taxes, and of an
 * accruing rule, each of which may be missing.
 */
const beside: readonly { readonly part: Part['part']; readonly rule: string; readonly sums: readonly string[] }[] = [
  { part: 'amounts', rule: 'fee', sums: ['records', ...figureColumns.amounts] },
  { part: 'taxes', rule: 'tax_rule', sums: taxSums },
  { part: 'taxes', rule: 'second_tax_rule', sums: taxSums.map((c) => `second_${c}`) },
  { part: 'accruals', rule: 'accrual_rule', sums: ['contributions', ...figureColumns.accruals] },
];

const keyColumns = { psp_id: 'uuid', day: 'date', cell: 'uuid' };
const sumColumns = beside.flatMap((b) => b.sums);
const columns = {
  ...keyColumns,
  country: 'text',
  account_id: 'uuid',
  currency: 'text',
  kind: 'text',
  verdict: 'text',
  product_line: 'text',
  ...Object.fromEntries(beside.map((b) => [b.rule, 'text'])),
  ...Object.fromEntries(sumColumns.map((c) => [c, 'numeric'])),
};

/** Adds to existing rows and creates missing ones. */
const addRows = `INSERT INTO daily_cells AS t (${Object.keys(columns).join(', ')})
  SELECT * FROM unnest(${Object.values(columns)
    .map((type, i) => `$${i + 1}::${type}[]`)
    .join(', ')})
  ON CONFLICT (${Object.keys(keyColumns).join(', ')}) DO UPDATE SET ${sumColumns.map((c) => `${c} = t.${c} + excluded.${c}`).join(', ')}`;

const placeValues = (p: Place) => [p.day, p.country, p.account, p.currency, p.kind, p.verdict, p.productLine];

/** A value in the text of an array: written here, since the driver examines each character of each. */
const quoted = (text: string): string =>
  `"${text.includes('"') || text.includes('\\') ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;

const byRule = (a: Cell, b: Cell) => (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0);

/** Adds a place's rows to the columns: its cells of each part, in the order of their rules, beside each other. */
function addRowsOf(psp: PspId, cells: readonly Cell[], into: readonly string[][]): void {
  const [day, ...place] = placeValues((cells[0] as Cell).place) as [string, ...string[]];
  const left = Map.groupBy(cells, (c) => c.part);
  for (const of of left.values()) of.sort(byRule);
  while ([...left.values()].some((of) => of.length > 0)) {
    let at = 0;
    const put = (value: string) => into[at++]?.push(value);
    const row = beside.map((b) => left.get(b.part)?.shift());
    const rules = row.map((c) => c?.rule);
    put(psp);
    put(day);
    put(hash('sha256', JSON.stringify([place, rules]), 'hex').slice(0, 32));
    for (const v of place) put(quoted(v));
    for (const v of rules) put(v === undefined ? 'NULL' : quoted(v));
    for (const [n, { sums }] of beside.entries()) {
      const cell = row[n];
      put(cell ? String(cell.count) : 'NULL');
      for (let f = 0; f < sums.length - 1; f++) put(cell ? figure(cell, f) : 'NULL');
    }
  }
}

/** Adds the sums of several PSPs to their totals. */
export async function addCells(tx: Database, of: readonly { psp: PspId; tally: Tally }[]): Promise<void> {
  const into = Object.keys(columns).map((): string[] => []);
  for (const { psp, tally } of of) for (const cells of tally.places()) addRowsOf(psp, cells, into);
  if (into[0]?.length)
    await tx.query(
      addRows,
      into.map((values) => `{${values.join()}}`),
    );
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

export const storedRedated = (db: Database, psp: PspId): Promise<Redated[]> =>
  db.query('SELECT day::text, transaction_id AS transaction FROM redated_transactions WHERE psp_id = $1', [psp]);

/** As a cell with its figures, for a comparison. */
export const redatedText = ({ day, transaction }: Redated): [cell: string, figures: string] => [
  `decided again on ${day}: ${toWire('transaction', transaction)}`,
  '1',
];

export async function dropTotals(tx: Database, psp: PspId): Promise<void> {
  for (const table of ['daily_cells', 'redated_transactions'])
    await tx.query(`DELETE FROM ${table} WHERE psp_id = $1`, [psp]);
}

/** All stored cells of a PSP, by the text of their place: count and figures, whatever rows they are in. */
export async function storedCells(db: Database, psp: PspId): Promise<Map<string, string>> {
  const out = new Map<string, string>();
  for (const part of parts) {
    const by = ['day::text', ...placeColumns.slice(1), 'rule'];
    const rows = await db.query<{ place: string[]; sums: string[] }>(
      `SELECT ARRAY[${by.map((c) => `${c}::text`).join(', ')}] AS place,
         ARRAY[${['count', ...figureColumns[part]].map((c) => `trim_scale(sum(${c}))::text`).join(', ')}] AS sums
       FROM ${viewOf[part]} WHERE psp_id = $1 GROUP BY ${['day', ...by.slice(1)].join(', ')}`,
      [psp],
    );
    for (const r of rows) out.set([part, ...r.place].join(' '), r.sums.join(' '));
  }
  return out;
}

/** A cell in the form of `storedCells`. */
export function cellText(c: Cell, canonical: (text: string) => string): [string, string] {
  const figures = figureColumns[c.part].map((_, i) => canonical(figure(c, i)));
  return [[c.part, ...placeValues(c.place), c.rule].join(' '), [c.count, ...figures].join(' ')];
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
