// All SQL on nettings, and on the outstanding amounts of chargebacks.

import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import { methodsNotHeld } from '../../core/payments.ts';
import { type SplitAmounts, type SplitPart, splitParts } from '../../core/settlement.ts';
import { wireSum } from '../../core/sums.ts';
import type { FactLoader } from '../../platform/committer.ts';
import { type Database, valuesOf } from '../../platform/database.ts';
import { ofOnly, onlyPsp } from '../../platform/each-psp.ts';
import type { RowOf } from '../../records/define.ts';
import { nettings } from '../../records/nettings.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { recordByRef } from '../kernel/facts.ts';
import { row } from '../kernel/journal.ts';

const names = { transaction_vat: 'transactionVAT' } as const;
const table = tableOf(nettings, names);
export const nettingColumns = table.columns;

/** Amounts of a chargeback subtracted from what a later transaction settled. */
export interface Netting extends Omit<RecordOf<typeof nettings, typeof names>, SplitPart> {
  readonly amounts: SplitAmounts;
}

const columnOf = {
  vatAmount: 'vat_amount',
  processingFee: 'processing_fee',
  merchantAmount: 'merchant_amount',
  transactionFee: 'transaction_fee',
  transactionVAT: 'transaction_vat',
} as const satisfies Record<SplitPart, string>;
const notHeldSql = (t: string) =>
  methodsNotHeld.map((m) => `coalesce((${t}.evidence::json #>> '{notHeld,${m}}')::numeric, 0)`).join(' - ');
/**
 * SQL of the same parts of a transaction, as far as the PSP settles them (core/settlement.ts, settledThroughPsp). What remains
 * of a withdrawal is the customer's.
 */
const settledSql = (t: string, part: SplitPart): string =>
  part === 'merchantAmount'
    ? `CASE WHEN ${t}.kind IN ('withdrawal', 'cryptoWithdrawal') THEN 0 ELSE greatest(0, ${t}.remainder - ${notHeldSql(t)}) END`
    : `${t}.${columnOf[part]}`;

/** The parts of a split, and the other columns of a row. */
function apart<R extends SplitAmounts>(r: R) {
  const { vatAmount, processingFee, merchantAmount, transactionFee, transactionVAT, ...rest } = r;
  return { amounts: { vatAmount, processingFee, merchantAmount, transactionFee, transactionVAT }, rest };
}

export function nettingFromRow(r: RowOf<typeof nettings>): Netting {
  const { amounts, rest } = apart(table.fromRow(r));
  return { ...rest, amounts };
}

export const nettingRow = ({ amounts, ...rest }: Netting) => row('nettings', table.toRow({ ...rest, ...amounts }));

export const shownAmounts = (a: SplitAmounts): Record<SplitPart, number> =>
  Object.fromEntries(splitParts.map((p) => [p, wireSum(a[p])])) as Record<SplitPart, number>;

export const nettingResource = (n: Netting) => ({
  nettingId: toWire('netting', n.id),
  ref: n.ref,
  clientId: accountWire(n.psp, n.account),
  chargebackId: toWire('chargeback', n.chargeback),
  transactionId: toWire('transaction', n.against),
  currency: n.currency,
  countryCode: n.country,
  amounts: shownAmounts(n.amounts),
  createdAt: n.createdAt,
});

const place = { space: 'netting', table: 'nettings' };
export const nettingByRef = recordByRef('netting-by-ref', place, table.columns('t'), nettingFromRow);

export interface PairKey {
  readonly psp: PspId;
  readonly chargeback: string;
  readonly against: string;
}

/** A chargeback and a later transaction, read at one moment, with the nettings of both. */
export interface Pair {
  readonly account: string;
  readonly chargedBackAt: string;
  readonly currency: string;
  readonly country: string;
  /** The chargeback's amounts minus its nettings. */
  readonly left: SplitAmounts;
  readonly reversed: boolean;
  readonly charged: { readonly id: string; readonly ref: string; readonly refRevision: number };
  readonly against: LaterTransaction | undefined;
}

interface LaterTransaction {
  readonly account: string;
  readonly ref: string;
  readonly refRevision: number;
  readonly status: string;
  readonly currency: string;
  readonly country: string;
  readonly chargedBack: boolean;
  readonly updatedAt: string;
  /** The later transaction's split minus the nettings against it. */
  readonly room: SplitAmounts;
}

type FoundPair = PairKey &
  SplitAmounts &
  Omit<Pair, 'left' | 'charged' | 'against'> &
  Pair['charged'] & { readonly [K in keyof FoundLater as `x_${K}`]: FoundLater[K] };
/** Null in all parts if there is none. */
type FoundLater = Omit<LaterTransaction, 'room'> & SplitAmounts;

const pairText = (k: PairKey) => `${k.psp}|${k.chargeback}|${k.against}`;
const sumsOf = (alias: string) =>
  splitParts.map((p) => `coalesce(sum(${alias}.${columnOf[p]}), 0) AS ${columnOf[p]}`).join(', ');
const lessOf = (transaction: string, netted: string, prefix = '') =>
  splitParts
    .map((p) => `trim_scale(${settledSql(transaction, p)} - ${netted}.${columnOf[p]}) AS "${prefix}${p}"`)
    .join(', ');

/** SQL: limits a table to the PSP of the chargeback, by a parameter wherever it is only one. */
type OfPsp = (alias: string) => string;
const ofFirst: OfPsp = (alias) => `${alias}.psp_id = $1`;
const ofKey: OfPsp = (alias) => `${alias}.psp_id = k.p AND ${ofOnly(`${alias}.psp_id`, 4)}`;

/**
 * Nettings minus their releases. A decline releases the nettings against its transaction; for declines from before
 * releases existed, the status has the same effect.
 */
const nettedOf = (chargeback: string, ofPsp: OfPsp) => `LATERAL (
  SELECT ${sumsOf('n')} FROM nettings n JOIN transactions a ON a.psp_id = n.psp_id AND a.id = n.against_id
  WHERE ${ofPsp('n')} AND n.chargeback_id = ${chargeback}.id AND a.status = 'APPROVED')`;

/**
 * SQL: whether a dispute of the chargeback was won, so that nothing of it is to be subtracted any more. Its PSP is the
 * first parameter, unless given otherwise.
 */
export const reversedSql = (chargeback: string, ofPsp: OfPsp = ofFirst) => `EXISTS (
  SELECT 1 FROM disputes d WHERE ${ofPsp('d')} AND d.chargeback_id = ${chargeback}.id AND d.state = 'WON')`;

export const pairHeld: FactLoader<PairKey, Pair> = {
  name: 'netting-pair',
  text: pairText,
  async load(db, keys) {
    const rows = await db.query<FoundPair>(
      `SELECT k.p AS psp, k.c AS chargeback, k.x AS against, c.account_id AS account, c.created_at AS "chargedBackAt",
         ${reversedSql('c', ofKey)} AS reversed, t.id, t.ref, t.currency, t.country, rt.revision AS "refRevision", ${lessOf('t', 'nc')},
         x.account_id AS x_account, x.ref AS x_ref, rx.revision AS "x_refRevision", x.status AS x_status,
         x.currency AS x_currency, x.country AS x_country, x.chargeback IS NOT NULL AS "x_chargedBack",
         x.updated_at AS "x_updatedAt", ${lessOf('x', 'na', 'x_')}
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS k(p, c, x)
       JOIN chargebacks c ON ${ofKey('c')} AND c.id = k.c
       JOIN transactions t ON ${ofKey('t')} AND t.id = c.transaction_id
       JOIN refs rt ON ${ofKey('rt')} AND rt.space = 'transaction' AND rt.ref = t.ref AND rt.account_id = t.account_id
       JOIN ${nettedOf('c', ofKey)} nc ON true
       LEFT JOIN transactions x ON ${ofKey('x')} AND x.id = k.x
       LEFT JOIN refs rx ON ${ofKey('rx')} AND rx.space = 'transaction' AND rx.ref = x.ref AND rx.account_id = x.account_id
       LEFT JOIN LATERAL (SELECT ${sumsOf('n')} FROM nettings n WHERE ${ofKey('n')} AND n.against_id = k.x) na ON true`,
      [...valuesOf(keys, 'psp', 'chargeback', 'against'), onlyPsp(db, keys)],
    );
    return new Map(rows.map((r) => [pairText(r), pairFromRow(r)]));
  },
};

const pairFromRow = (r: FoundPair): Pair => ({
  account: r.account,
  chargedBackAt: r.chargedBackAt,
  currency: r.currency,
  country: r.country,
  left: apart(r).amounts,
  reversed: r.reversed,
  charged: { id: r.id, ref: r.ref, refRevision: r.refRevision },
  against:
    r.x_refRevision === null
      ? undefined
      : {
          account: r.x_account,
          ref: r.x_ref,
          refRevision: r.x_refRevision,
          status: r.x_status,
          currency: r.x_currency,
          country: r.x_country,
          chargedBack: r.x_chargedBack,
          updatedAt: r.x_updatedAt,
          room: {
            vatAmount: r.x_vatAmount,
            processingFee: r.x_processingFee,
            merchantAmount: r.x_merchantAmount,
            transactionFee: r.x_transactionFee,
            transactionVAT: r.x_transactionVAT,
          },
        },
});

/** The account a chargeback belongs to. */
export async function accountOfChargeback(db: Database, psp: PspId, id: string): Promise<string | undefined> {
  const [r] = await db.query<{ account: string }>(
    'SELECT account_id AS account FROM chargebacks WHERE psp_id = $1 AND id = $2',
    [psp, id],
  );
  return r?.account;
}

export interface OutstandingFilter {
  readonly psp: PspId;
  readonly account?: string | undefined;
  readonly currency?: string | undefined;
}

const outstandingSql = `
  SELECT c.id, c.account_id AS account, c.created_at AS at, t.id AS transaction, t.ref, t.currency, t.country,
    ${lessOf('t', 'nc')}
  FROM chargebacks c JOIN transactions t ON t.psp_id = c.psp_id AND t.id = c.transaction_id
  JOIN ${nettedOf('c', ofFirst)} nc ON true
  WHERE c.psp_id = $1 AND ($2::uuid IS NULL OR c.account_id = $2) AND ($3::text IS NULL OR t.currency = $3)
    AND NOT ${reversedSql('c')}
    AND (${splitParts.map((p) => `${settledSql('t', p)} <> nc.${columnOf[p]}`).join(' OR ')})`;

export interface Outstanding {
  readonly id: string;
  readonly account: string;
  readonly at: string;
  readonly transaction: string;
  readonly ref: string;
  readonly currency: string;
  readonly country: string;
  readonly left: SplitAmounts;
}

/** Chargebacks with outstanding amounts, oldest first. */
export async function listOutstanding(
  db: Database,
  f: OutstandingFilter & { after?: string | undefined; limit: number },
): Promise<Outstanding[]> {
  const rows = await db.query<Omit<Outstanding, 'left'> & SplitAmounts>(
    `${outstandingSql} AND ($4::uuid IS NULL OR c.id > $4) ORDER BY c.id LIMIT $5`,
    [f.psp, f.account, f.currency, f.after, f.limit],
  );
  return rows.map(apart).map(({ amounts, rest }) => ({ ...rest, left: amounts }));
}

export interface Aged {
  readonly currency: string;
  readonly days: number;
  readonly left: SplitAmounts;
}

/** Outstanding amounts, by currency and age in whole days. */
export async function sumOutstanding(db: Database, f: OutstandingFilter, now: string): Promise<Aged[]> {
  const rows = await db.query<Omit<Aged, 'left'> & SplitAmounts>(
    `SELECT currency, greatest(0, floor(extract(epoch FROM $4::timestamptz - at) / 86400))::integer AS days,
       ${splitParts.map((p) => `trim_scale(sum("${p}")) AS "${p}"`).join(', ')}
     FROM (${outstandingSql}) o GROUP BY 1, 2 ORDER BY 1, 2`,
    [f.psp, f.account, f.currency, now],
  );
  return rows.map(apart).map(({ amounts, rest }) => ({ ...rest, left: amounts }));
}

/** Amounts netted on the days, by account and currency. */
export async function sumNetted(
  db: Database,
  f: OutstandingFilter & { from: string; to: string; country?: string | undefined },
): Promise<{ account: string; country: string; currency: string; amounts: SplitAmounts }[]> {
  const rows = await db.query<{ account: string; country: string; currency: string } & SplitAmounts>(
    `SELECT account_id AS account, country, currency,
       ${splitParts.map((p) => `trim_scale(sum(n.${columnOf[p]})) AS "${p}"`).join(', ')}
     FROM nettings n WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR currency = $3)
       AND day BETWEEN $4 AND $5 AND ($6::text IS NULL OR country = $6)
     GROUP BY account_id, country, currency`,
    [f.psp, f.account ?? null, f.currency ?? null, f.from, f.to, f.country ?? null],
  );
  return rows.map(apart).map(({ amounts, rest }) => ({ ...rest, amounts }));
}
