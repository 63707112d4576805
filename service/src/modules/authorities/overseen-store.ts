// All SQL on the records that authorities read: over all PSPs, always within a country, kinds and days.
import type { PspId } from '../../core/ids.ts';
import type { OverseenKind } from '../../core/oversight.ts';
import type { Evidence } from '../../core/transaction.ts';
import type { Database } from '../../platform/database.ts';

export interface OverseenFilter {
  readonly psps: readonly PspId[];
  readonly kinds: readonly OverseenKind[];
  readonly country: string;
  /** Days of the decision, both inclusive. */
  readonly from: string;
  readonly to: string;
  /** Ids of rules of which one must have taxed it or count it for a return; undefined for any. */
  readonly rules?: readonly string[] | undefined;
  readonly account?: string | undefined;
  readonly ref?: string | undefined;
  readonly currency?: string | undefined;
  readonly status?: string | undefined;
  readonly amountFrom?: string | undefined;
  readonly amountTo?: string | undefined;
  readonly id?: string | undefined;
}

export interface Overseen {
  readonly kind: OverseenKind;
  readonly psp: PspId;
  readonly id: string;
  readonly account: string;
  readonly operation: string;
  readonly ref: string | null;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly country: string;
  readonly day: string;
  readonly evidence: Evidence;
  readonly basket: string | null;
  readonly chargedBack: boolean;
  readonly createdAt: string;
}

interface OverseenRow extends Omit<Overseen, 'evidence' | 'chargedBack' | 'createdAt'> {
  readonly evidence: string;
  readonly charged: boolean;
  readonly created_at: string;
}

const own: Readonly<
  Record<OverseenKind, { readonly table: string; readonly columns: string; readonly status: string }>
> = {
  transaction: {
    table: 'transactions',
    columns: 't.kind AS operation, t.chargeback IS NOT NULL AS charged, t.basket_id AS basket',
    status: 't.status',
  },
  wager: {
    table: 'wagers',
    columns: "'captureWager' AS operation, false AS charged, NULL::uuid AS basket",
    status: "'RECORDED'",
  },
  payout: {
    table: 'payouts',
    columns: "'capturePayout' AS operation, false AS charged, NULL::uuid AS basket",
    status: "'RECORDED'",
  },
};

// A record is dated to the day on which it is made, in any zone, unless it is decided later: then it is found by that day.
const sameDay = `t.id BETWEEN uuid_floor(($3::date - 2)::timestamp AT TIME ZONE 'UTC') AND uuid_floor(($4::date + 2)::timestamp AT TIME ZONE 'UTC')`;
const later = `t.id < uuid_floor((t.decided_on - 1)::timestamp AT TIME ZONE 'UTC')
      AND t.id < uuid_floor(($3::date - 2)::timestamp AT TIME ZONE 'UTC')`;

// Evidence is text written by JSON.stringify, so what is searched has only one form in it.
const rowsOf = (kind: OverseenKind, made: string): string => {
  const { table, columns, status } = own[kind];
  return `SELECT '${kind}' AS kind, t.psp_id AS psp, t.id, t.account_id AS account, ${columns}, t.ref, ${status} AS status,
      t.amount, t.currency, t.country, t.decided_on AS day, t.evidence, t.created_at
    FROM ${table} t WHERE t.psp_id = p.psp_id AND t.country = $2 AND t.decided_on BETWEEN $3::date AND $4::date
      AND ${made} AND ($5::text[] IS NULL OR t.evidence LIKE ANY ($5)) AND ($6::uuid IS NULL OR t.account_id = $6)
      AND ($7::text IS NULL OR t.ref = $7) AND ($8::text IS NULL OR t.currency = $8)
      AND ($9::text IS NULL OR ${status} = $9) AND ($10::numeric IS NULL OR t.amount >= $10)
      AND ($11::numeric IS NULL OR t.amount <= $11) AND ($12::uuid IS NULL OR t.id = $12)`;
};

/** Of each PSP and kind the first rows in an order, and of these the first. */
function firstRows(f: OverseenFilter, after: string, order: string): string {
  const parts = f.kinds.flatMap((kind) =>
    [sameDay, ...(kind === 'transaction' ? [later] : [])].map(
      (made) =>
        `SELECT r.* FROM journal_heads p CROSS JOIN LATERAL (${rowsOf(kind, made)} AND ${after} ORDER BY ${order} LIMIT $14) r WHERE p.psp_id = ANY ($1::uuid[])`,
    ),
  );
  return parts.map((p) => `(${p})`).join(' UNION ALL ');
}

const values = (f: OverseenFilter) => [
  f.psps,
  f.country,
  f.from,
  f.to,
  f.rules?.map((rule) => `%"rule":"${rule.replaceAll(/[\\%_]/g, '\\$&')}"%`) ?? null,
  f.account ?? null,
  f.ref ?? null,
  f.currency ?? null,
  f.status ?? null,
  f.amountFrom ?? null,
  f.amountTo ?? null,
  f.id ?? null,
];

const shown = ({ evidence, charged, created_at, ...r }: OverseenRow): Overseen => ({
  ...r,
  evidence: JSON.parse(evidence) as Evidence,
  chargedBack: charged,
  createdAt: created_at,
});

/** Newest first. */
export async function listOverseen(
  db: Database,
  f: OverseenFilter & { readonly before?: string | undefined; readonly limit: number },
): Promise<Overseen[]> {
  const rows = await db.query<OverseenRow>(
    `${firstRows(f, '($13::uuid IS NULL OR t.id < $13)', 't.id DESC')} ORDER BY id DESC LIMIT $14`,
    [...values(f), f.before, f.limit],
  );
  return rows.map(shown);
}

/** The records whose hash with the seed comes first: nobody who does not choose the seed can choose among them. */
export async function sampleOverseen(
  db: Database,
  f: OverseenFilter & { readonly seed: string; readonly limit: number },
): Promise<Overseen[]> {
  const hash = (id: string) => `sha256(convert_to($13::text || ':' || ${id}, 'UTF8'))`;
  const rows = await db.query<OverseenRow>(
    `SELECT s.* FROM (${firstRows(f, 'true', hash('t.id'))}) s ORDER BY ${hash('s.id')} LIMIT $14`,
    [...values(f), f.seed, f.limit],
  );
  return rows.map(shown);
}
