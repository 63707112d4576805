// The columns of every table commit_batch writes, in the tables' order: rows are sent in their binary form,
// which names no columns. Checked against the database at start.
import type { Database } from './database.ts';

export type ColumnType = 'uuid' | 'text' | 'int4' | 'int8' | 'numeric' | 'timestamptz';

/** PostgreSQL's type numbers. */
export const oids: Record<ColumnType, number> = {
  uuid: 2950,
  text: 25,
  int4: 23,
  int8: 20,
  numeric: 1700,
  timestamptz: 1184,
};

export type Columns = readonly (readonly [string, ColumnType])[];

function columns(text: string): Columns {
  return text
    .trim()
    .split(/\s+/)
    .map((c) => {
      const [name, type = 'text'] = c.split(':') as [string, ColumnType?];
      return [name, type] as const;
    });
}

const accounts =
  columns(`psp_id:uuid id:uuid kind name registration_number country classification organization_tin contact
  secret_sealed verification_level operational_standing holds version:int4 created_at:timestamptz updated_at:timestamptz
  observations test_of:uuid`);
const transactions = columns(`psp_id:uuid id:uuid account_id:uuid recorded_by:uuid kind ref status reason revision:int4
  amount:numeric currency country vat_amount:numeric processing_fee:numeric transaction_fee:numeric
  transaction_vat:numeric remainder:numeric basket_id:uuid basket_ref evidence request observations sealed subject
  chargeback created_at:timestamptz updated_at:timestamptz`);
const baskets =
  columns(`psp_id:uuid id:uuid account_id:uuid recorded_by:uuid ref transaction_id:uuid status revision:int4
  amount:numeric currency country vat_amount:numeric taxable_amount:numeric line_vat original request observations
  created_at:timestamptz updated_at:timestamptz`);

export const refColumns = columns('psp_id:uuid space ref account_id:uuid target_id:uuid revision:int4');

/** What commit_batch takes after the expectations, in its order: the table a row goes to, and its columns. */
export const tables = {
  account_rows: ['accounts', accounts],
  account_changes: ['accounts', accounts],
  keys: [
    'api_keys',
    columns(`psp_id:uuid id:uuid account_id:uuid name secret_hash created_at:timestamptz
    expires_at:timestamptz revoked_at:timestamptz last_used_at:timestamptz`),
  ],
  transactions: ['transactions', transactions],
  transaction_changes: ['transactions', transactions],
  baskets: ['baskets', baskets],
  basket_changes: ['baskets', baskets],
  wagers: [
    'wagers',
    columns(`psp_id:uuid id:uuid account_id:uuid recorded_by:uuid ref amount:numeric currency country
    product_line ip evidence request observations sealed subject created_at:timestamptz`),
  ],
  payouts: [
    'payouts',
    columns(`psp_id:uuid id:uuid account_id:uuid recorded_by:uuid ref wager_id:uuid wager_ref
    amount:numeric currency country evidence request observations sealed subject created_at:timestamptz`),
  ],
  cdrs: [
    'cdrs',
    columns(`psp_id:uuid id:uuid account_id:uuid recorded_by:uuid cdr_id call_start:timestamptz
    duration_s:int4 call_type network_provider cost:numeric currency content record warnings sealed subject
    created_at:timestamptz`),
  ],
  chargebacks: [
    'chargebacks',
    columns(`psp_id:uuid id:uuid transaction_id:uuid account_id:uuid recorded_by:uuid amounts
    created_at:timestamptz`),
  ],
  webhooks: [
    'webhooks',
    columns(`psp_id:uuid id:uuid account_id:uuid url event_types state state_reason created_at:timestamptz
    updated_at:timestamptz`),
  ],
  provider_secrets: [
    'provider_secrets',
    columns('psp_id:uuid account_id:uuid provider secret_sealed updated_at:timestamptz'),
  ],
  cdr_declarations: [
    'cdr_declarations',
    columns(`psp_id:uuid id:uuid account_id:uuid recorded_by:uuid period revision:int4 content lines
    created_at:timestamptz`),
  ],
  nettings: [
    'nettings',
    columns(`psp_id:uuid id:uuid account_id:uuid ref chargeback_id:uuid against_id:uuid currency country day
    vat_amount:numeric processing_fee:numeric merchant_amount:numeric transaction_fee:numeric transaction_vat:numeric
    request created_at:timestamptz`),
  ],
  users: [
    'users',
    columns(`psp_id:uuid id:uuid account_id:uuid email name role state password_scrypt password_kind failures:int4
    locked_until:timestamptz session_epoch:int4 version:int4 created_at:timestamptz updated_at:timestamptz
    signed_in_at:timestamptz`),
  ],
  sessions: [
    'sessions',
    columns(`psp_id:uuid id:uuid user_id:uuid token_hash epoch:int4 created_at:timestamptz expires_at:timestamptz
    seen_at:timestamptz ended_at:timestamptz`),
  ],
  reviews: [
    'reviews',
    columns(`psp_id:uuid id:uuid account_id:uuid transaction_id:uuid rule reason findings state assignee outcome notes
    opened_by version:int4 created_at:timestamptz updated_at:timestamptz`),
  ],
  proposals: [
    'proposals',
    columns(`psp_id:uuid id:uuid account_id:uuid kind subject content reason state proposed_by decided_by
    decision_reason version:int4 created_at:timestamptz updated_at:timestamptz`),
  ],
  journal: ['journal', columns('psp_id:uuid seq:int8 id:uuid kind account_id:uuid resource_id:uuid body')],
} as const satisfies Record<string, readonly [string, Columns]>;

export type Table = keyof typeof tables;

/** Row type numbers by table. */
export type RowTypes = ReadonlyMap<string, number>;

/** Compares the list above with the database and reads its row types. @throws when they differ */
export async function readRowTypes(db: Database): Promise<RowTypes> {
  const expected = new Map<string, Columns>([
    ['refs', refColumns],
    ...Object.values(tables).map(([t, c]) => [t, c] as const),
  ]);
  const rows = await db.query<{ t: string; o: number; c: string }>(
    `SELECT c.relname AS t, c.reltype::integer AS o, string_agg(a.attname || ':' || y.typname, ' ' ORDER BY a.attnum) AS c
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type y ON y.oid = a.atttypid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1) AND a.attnum > 0 AND NOT a.attisdropped
     GROUP BY c.relname, c.reltype`,
    [[...expected.keys()]],
  );
  for (const [table, list] of expected) {
    const found = rows.find((r) => r.t === table)?.c;
    const wanted = list.map(([n, t]) => `${n}:${t}`).join(' ');
    if (found !== wanted)
      throw new Error(`the table ${table} does not have the columns this version writes: it has '${found}'`);
  }
  return new Map(rows.map((r) => [r.t, r.o]));
}
