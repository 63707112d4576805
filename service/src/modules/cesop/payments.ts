// All SQL of the report cesop: recipients of cross-border payments, and the payments. A payment is an approved sale or
// deposit in a state currency; its payer is in the country where the caller says it is taxed.
import { memberStates } from '../../core/cesop/member-states.ts';
import type { Payment } from '../../core/cesop/message.ts';
import { type PspId, toWire } from '../../core/ids.ts';
import type { Database } from '../../platform/database.ts';
import { allPages } from '../kernel/all-pages.ts';
import { reversedSql } from '../settlement/index.ts';

export interface Scope {
  readonly psp: PspId;
  readonly only: string | undefined;
  /** ISO times. */
  readonly from: string;
  readonly to: string;
}

export interface PayeeRow {
  readonly account: string;
  readonly name: string;
  readonly country: string;
  readonly taxId: string | null;
  readonly payments: number;
}

/** Ids are created within an hour of their record's time, so they select the month's partitions. */
const crossBorder = `t.psp_id = $1 AND t.status = 'APPROVED' AND t.kind IN ('verifyTransaction', 'deposit')
  AND t.country = ANY ($2) AND t.country <> a.country`;
const inQuarter = `t.created_at >= $3 AND t.created_at < $4
  AND t.id >= (SELECT uuid_floor($3::timestamptz - interval '1 hour'))
  AND t.id < (SELECT uuid_floor($4::timestamptz + interval '1 hour'))`;

/** Maximum payments to one payee in a quarter that need no report. */
export const threshold = 25;

/** Payees with more payments than the threshold. */
export const payeesOf = (db: Database, s: Scope): Promise<PayeeRow[]> =>
  db.query(
    `SELECT a.id AS account, a.name, a.country, a.organization_tin AS "taxId", count(*) AS payments
     FROM transactions t JOIN accounts a ON a.psp_id = t.psp_id AND a.id = t.account_id
     WHERE ${crossBorder} AND ${inQuarter} AND a.kind = 'client' AND ($5::uuid IS NULL OR t.account_id = $5)
     GROUP BY a.id, a.name, a.country, a.organization_tin HAVING count(*) > $6 ORDER BY a.id`,
    [s.psp, memberStates, s.from, s.to, s.only, threshold],
  );

/** Cross-border payments in the quarter to payees below the threshold, and to those above. */
export async function countPayments(db: Database, s: Scope): Promise<{ payments: number; payees: number }> {
  const [r] = await db.query<{ payments: number; payees: number }>(
    `SELECT count(*) AS payments, count(DISTINCT t.account_id) AS payees
     FROM transactions t JOIN accounts a ON a.psp_id = t.psp_id AND a.id = t.account_id
     WHERE ${crossBorder} AND ${inQuarter} AND a.kind = 'client' AND ($5::uuid IS NULL OR t.account_id = $5)`,
    [s.psp, memberStates, s.from, s.to, s.only ?? null],
  );
  return r ?? { payments: 0, payees: 0 };
}

/** A payment with the data its payer's country is checked against. */
export interface PaymentRow extends Payment {
  readonly uuid: string;
  readonly subject: string | null;
  readonly sealed: string | null;
}

/**
 * Sales taxed in the payee's own country whose customer is in one of these countries by `taxDetails.customerCountry`, as it was sent.
 * @param codes in capitals
 */
export const customersIn = (
  db: Database,
  s: Scope,
  codes: readonly string[],
): Promise<{ account: string; country: string; said: string; payments: number }[]> =>
  db.query(
    `SELECT a.id AS account, a.country, c.said, count(*) AS payments
     FROM transactions t JOIN accounts a ON a.psp_id = t.psp_id AND a.id = t.account_id,
       LATERAL (SELECT substring(t.request from '[{,]"customerCountry":"([A-Za-z]{2,3})"') AS said) c
     WHERE t.psp_id = $1 AND t.status = 'APPROVED' AND t.kind = 'verifyTransaction' AND t.country = a.country
       AND ${inQuarter} AND a.kind = 'client' AND ($5::uuid IS NULL OR t.account_id = $5) AND upper(c.said) = ANY ($2)
     GROUP BY a.id, a.country, c.said ORDER BY a.id, c.said`,
    [s.psp, codes, s.from, s.to, s.only],
  );

const pageSize = 500;

/** Payments to a payee, ordered by id. */
export async function* paymentsTo(db: Database, s: Scope, account: string): AsyncGenerator<PaymentRow[]> {
  const read = (after: string | null) =>
    db.query<Omit<PaymentRow, 'id'>>(
      `SELECT t.id AS uuid, t.created_at AS at, t.amount, t.currency, t.country AS "payerCountry", t.subject, t.sealed
       FROM transactions t JOIN accounts a ON a.psp_id = t.psp_id AND a.id = t.account_id
       WHERE ${crossBorder} AND ${inQuarter} AND t.account_id = $5 AND ($6::uuid IS NULL OR t.id > $6)
       ORDER BY t.id LIMIT ${pageSize}`,
      [s.psp, memberStates, s.from, s.to, account, after],
    );
  for await (const rows of allPages(pageSize, (r) => r.uuid, read))
    yield rows.map((r) => ({ ...r, id: toWire('transaction', r.uuid) }));
}

/** Chargebacks in the quarter, of payments in it or before it; a reversed one refunds nothing. */
export async function* refundsOf(db: Database, s: Scope, account: string): AsyncGenerator<Payment[]> {
  const read = (after: string | null) =>
    db.query<Payment & { readonly refundOf: string }>(
      `SELECT c.id, c.created_at AS at, t.id AS "refundOf", t.amount, t.currency, t.country AS "payerCountry"
       FROM chargebacks c JOIN transactions t ON t.psp_id = c.psp_id AND t.id = c.transaction_id
         JOIN accounts a ON a.psp_id = t.psp_id AND a.id = t.account_id
       WHERE ${crossBorder} AND c.psp_id = $1 AND c.created_at >= $3 AND c.created_at < $4
         AND c.account_id = $5 AND ($6::uuid IS NULL OR c.id > $6)
         AND NOT ${reversedSql('c')}
       ORDER BY c.id LIMIT ${pageSize}`,
      [s.psp, memberStates, s.from, s.to, account, after],
    );
  for await (const rows of allPages(pageSize, (r) => r.id, read))
    yield rows.map((r) => ({ ...r, id: toWire('chargeback', r.id), refundOf: toWire('transaction', r.refundOf) }));
}
