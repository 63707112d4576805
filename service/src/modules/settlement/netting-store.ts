// All SQL on nettings, and on chargebacks as what is still to be subtracted.

import { toWire } from '../../core/ids.ts';
import { type SplitAmounts, type SplitPart, splitParts } from '../../core/settlement.ts';
import { wireSum } from '../../core/sums.ts';
import { accountWire } from '../../core/transaction.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import type { Database, Row } from '../../platform/database.ts';
import { row } from '../kernel/journal.ts';

export interface Netting {
  readonly psp: string;
  readonly id: string;
  readonly account: string;
  readonly ref: string;
  readonly chargeback: string;
  readonly against: string;
  readonly currency: string;
  readonly country: string;
  readonly day: string;
  readonly amounts: SplitAmounts;
  readonly request: string;
  readonly createdAt: string;
}

export const columnOf = {
  vatAmount: 'vat_amount',
  processingFee: 'processing_fee',
  merchantAmount: 'merchant_amount',
  transactionFee: 'transaction_fee',
  transactionVAT: 'transaction_vat',
} as const satisfies Record<SplitPart, string>;
/** The same parts where they stand in a transaction. */
const transactionColumnOf: Readonly<Record<SplitPart, string>> = { ...columnOf, merchantAmount: 'remainder' };

const amountsFrom = (r: Row, prefix = ''): SplitAmounts =>
  Object.fromEntries(splitParts.map((p) => [p, r[`${prefix}${columnOf[p]}`] as string])) as SplitAmounts;

export const nettingFromRow = (r: Row): Netting => ({
  psp: r.psp_id as string,
  id: r.id as string,
  account: r.account_id as string,
  ref: r.ref as string,
  chargeback: r.chargeback_id as string,
  against: r.against_id as string,
  currency: r.currency as string,
  country: r.country as string,
  day: r.day as string,
  amounts: amountsFrom(r),
  request: r.request as string,
  createdAt: r.created_at as string,
});

export const nettingRow = (n: Netting) =>
  row('nettings', {
    psp_id: n.psp,
    id: n.id,
    account_id: n.account,
    ref: n.ref,
    chargeback_id: n.chargeback,
    against_id: n.against,
    currency: n.currency,
    country: n.country,
    day: n.day,
    vat_amount: n.amounts.vatAmount,
    processing_fee: n.amounts.processingFee,
    merchant_amount: n.amounts.merchantAmount,
    transaction_fee: n.amounts.transactionFee,
    transaction_vat: n.amounts.transactionVAT,
    created_at: n.createdAt,
    request: n.request,
  });

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

const refText = (k: RefKey) => `${k.psp}|${k.account}|${k.ref}`;

export const nettingByRef: FactLoader<RefKey, Netting> = {
  name: 'netting-by-ref',
  text: refText,
  async load(db, keys) {
    const rows = await db.query(
      `SELECT n.* FROM refs r JOIN unnest($1::uuid[], $2::text[], $3::uuid[]) AS k(p, f, a)
         ON r.psp_id = k.p AND r.space = 'netting' AND r.ref = k.f AND r.account_id = k.a
       JOIN nettings n ON n.psp_id = r.psp_id AND n.id = r.target_id`,
      [keys.map((k) => k.psp), keys.map((k) => k.ref), keys.map((k) => k.account)],
    );
    return new Map(
      rows.map((r) => [refText({ psp: r.psp_id, account: r.account_id, ref: r.ref } as RefKey), nettingFromRow(r)]),
    );
  },
};

export interface PairKey {
  readonly psp: string;
  readonly chargeback: string;
  readonly against: string;
}

/** A chargeback and a later transaction, read in one moment with what was netted of the one and against the other. */
export interface Pair {
  readonly account: string;
  readonly chargedBackAt: string;
  readonly currency: string;
  readonly country: string;
  /** Of the chargeback, less what was netted of it. */
  readonly left: SplitAmounts;
  readonly charged: { readonly id: string; readonly ref: string; readonly refRevision: number };
  readonly against:
    | {
        readonly account: string;
        readonly ref: string;
        readonly refRevision: number;
        readonly status: string;
        readonly currency: string;
        readonly country: string;
        readonly chargedBack: boolean;
        readonly updatedAt: string;
        /** Of its split, less what was netted against it. */
        readonly room: SplitAmounts;
      }
    | undefined;
}

const pairText = (k: PairKey) => `${k.psp}|${k.chargeback}|${k.against}`;
const sumsOf = (alias: string) =>
  splitParts.map((p) => `coalesce(sum(${alias}.${columnOf[p]}), 0) AS ${columnOf[p]}`).join(', ');
const lessOf = (transaction: string, netted: string, prefix: string) =>
  splitParts
    .map(
      (p) =>
        `trim_scale(${transaction}.${transactionColumnOf[p]} - ${netted}.${columnOf[p]}) AS ${prefix}${columnOf[p]}`,
    )
    .join(', ');

/**
 * Nettings less their releases. A decline releases what was netted against the transaction; of declines from before
 * there were releases, the status says the same.
 */
const nettedOf = (chargeback: string) => `LATERAL (
  SELECT ${sumsOf('n')} FROM nettings n JOIN transactions a ON a.psp_id = n.psp_id AND a.id = n.against_id
  WHERE n.psp_id = ${chargeback}.psp_id AND n.chargeback_id = ${chargeback}.id AND a.status = 'APPROVED')`;

export const pairHeld: FactLoader<PairKey, Pair> = {
  name: 'netting-pair',
  text: pairText,
  async load(db, keys) {
    const rows = await db.query(
      `SELECT k.p AS psp, k.c AS chargeback, k.x AS against, c.account_id, c.created_at, t.id, t.ref,
         t.currency, t.country, rt.revision, ${lessOf('t', 'nc', '')}, x.account_id AS x_account, x.ref AS x_ref,
         rx.revision AS x_revision, x.status AS x_status, x.currency AS x_currency, x.country AS x_country,
         x.chargeback IS NOT NULL AS x_charged_back, x.updated_at AS x_updated_at, ${lessOf('x', 'na', 'x_')}
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS k(p, c, x)
       JOIN chargebacks c ON c.psp_id = k.p AND c.id = k.c
       JOIN transactions t ON t.psp_id = k.p AND t.id = c.transaction_id
       JOIN refs rt ON rt.psp_id = k.p AND rt.space = 'transaction' AND rt.ref = t.ref AND rt.account_id = t.account_id
       JOIN ${nettedOf('c')} nc ON true
       LEFT JOIN transactions x ON x.psp_id = k.p AND x.id = k.x
       LEFT JOIN refs rx ON rx.psp_id = k.p AND rx.space = 'transaction' AND rx.ref = x.ref AND rx.account_id = x.account_id
       LEFT JOIN LATERAL (SELECT ${sumsOf('n')} FROM nettings n WHERE n.psp_id = k.p AND n.against_id = k.x) na ON true`,
      [keys.map((k) => k.psp), keys.map((k) => k.chargeback), keys.map((k) => k.against)],
    );
    return new Map(rows.map((r) => [pairText(r as unknown as PairKey), pairFromRow(r)]));
  },
};

const pairFromRow = (r: Row): Pair => ({
  account: r.account_id as string,
  chargedBackAt: r.created_at as string,
  currency: r.currency as string,
  country: r.country as string,
  left: amountsFrom(r),
  charged: { id: r.id as string, ref: r.ref as string, refRevision: r.revision as number },
  against:
    r.x_revision === null
      ? undefined
      : {
          account: r.x_account as string,
          ref: r.x_ref as string,
          refRevision: r.x_revision as number,
          status: r.x_status as string,
          currency: r.x_currency as string,
          country: r.x_country as string,
          chargedBack: r.x_charged_back as boolean,
          updatedAt: r.x_updated_at as string,
          room: amountsFrom(r, 'x_'),
        },
});

/** Whose a chargeback is. */
export async function accountOfChargeback(db: Database, psp: string, id: string): Promise<string | undefined> {
  const [r] = await db.query('SELECT account_id FROM chargebacks WHERE psp_id = $1 AND id = $2', [psp, id]);
  return r?.account_id as string | undefined;
}

export interface OutstandingFilter {
  readonly psp: string;
  readonly account?: string | undefined;
  readonly currency?: string | undefined;
}

const outstandingSql = `
  SELECT c.id, c.account_id, c.created_at, t.id AS transaction_id, t.ref, t.currency, t.country, ${lessOf('t', 'nc', '')}
  FROM chargebacks c JOIN transactions t ON t.psp_id = c.psp_id AND t.id = c.transaction_id
  JOIN ${nettedOf('c')} nc ON true
  WHERE c.psp_id = $1 AND ($2::uuid IS NULL OR c.account_id = $2) AND ($3::text IS NULL OR t.currency = $3)
    AND (${splitParts.map((p) => `t.${transactionColumnOf[p]} <> nc.${columnOf[p]}`).join(' OR ')})`;

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

/** Chargebacks of which something is still to be subtracted, oldest first. */
export async function listOutstanding(
  db: Database,
  f: OutstandingFilter & { after?: string | undefined; limit: number },
): Promise<Outstanding[]> {
  const rows = await db.query(`${outstandingSql} AND ($4::uuid IS NULL OR c.id > $4) ORDER BY c.id LIMIT $5`, [
    f.psp,
    f.account ?? null,
    f.currency ?? null,
    f.after ?? null,
    f.limit,
  ]);
  return rows.map((r) => ({
    id: r.id as string,
    account: r.account_id as string,
    at: r.created_at as string,
    transaction: r.transaction_id as string,
    ref: r.ref as string,
    currency: r.currency as string,
    country: r.country as string,
    left: amountsFrom(r),
  }));
}

export interface Aged {
  readonly currency: string;
  readonly days: number;
  readonly left: SplitAmounts;
}

/** What is outstanding, by currency and age in whole days. */
export async function sumOutstanding(db: Database, f: OutstandingFilter, now: string): Promise<Aged[]> {
  const rows = await db.query(
    `SELECT currency, greatest(0, floor(extract(epoch FROM $4::timestamptz - created_at) / 86400))::integer AS days,
       ${splitParts.map((p) => `trim_scale(sum(${columnOf[p]})) AS ${columnOf[p]}`).join(', ')}
     FROM (${outstandingSql}) o GROUP BY 1, 2 ORDER BY 1, 2`,
    [f.psp, f.account ?? null, f.currency ?? null, now],
  );
  return rows.map((r) => ({ currency: r.currency as string, days: r.days as number, left: amountsFrom(r) }));
}

/** What was netted on the days, by account and currency. */
export async function sumNetted(
  db: Database,
  f: OutstandingFilter & { from: string; to: string; country?: string | undefined },
): Promise<{ account: string; country: string; currency: string; amounts: SplitAmounts }[]> {
  const rows = await db.query(
    `SELECT account_id, country, currency, ${splitParts.map((p) => `trim_scale(sum(n.${columnOf[p]})) AS ${columnOf[p]}`).join(', ')}
     FROM nettings n WHERE psp_id = $1 AND ($2::uuid IS NULL OR account_id = $2) AND ($3::text IS NULL OR currency = $3)
       AND day BETWEEN $4 AND $5 AND ($6::text IS NULL OR country = $6)
     GROUP BY account_id, country, currency`,
    [f.psp, f.account ?? null, f.currency ?? null, f.from, f.to, f.country ?? null],
  );
  return rows.map((r) => ({
    account: r.account_id as string,
    country: r.country as string,
    currency: r.currency as string,
    amounts: amountsFrom(r),
  }));
}
