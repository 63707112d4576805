// All SQL on wagers and payouts.
import { toWire } from '../../core/ids.ts';
import { wireNumber } from '../../core/money.ts';
import { accountWire, type Evidence, type Observation } from '../../core/transaction.ts';
import type { FactLoader, RefKey } from '../../platform/committer.ts';
import type { Database, Row } from '../../platform/database.ts';
import { coarseNetwork } from '../../platform/network.ts';
import { row } from '../kernel/journal.ts';

/** Fields of a wager or payout that are kept sealed. */
export const personalFields = ['customer', 'ip', 'coordinates'] as const;

/** Where its personal data belongs. */
export const wagerPersonalRow = (id: string): string => `wagers/${id}`;
export const payoutPersonalRow = (id: string): string => `payouts/${id}`;

interface Common {
  readonly psp: string;
  readonly id: string;
  readonly account: string;
  readonly recordedBy: string;
  readonly ref: string;
  readonly amount: string;
  readonly currency: string;
  readonly country: string;
  readonly evidence: Evidence;
  readonly request: string;
  readonly observations: readonly Observation[];
  readonly sealed: string | null;
  readonly subject: string | null;
  readonly createdAt: string;
}

export interface WagerRecord extends Common {
  readonly productLine: string;
  /** The /24 of IPv4 or /64 of IPv6 it was placed from. */
  readonly ipNetwork: string;
  /** The address in clear, of wagers of version 0.1 only. */
  readonly ip?: string;
}

export interface PayoutRecord extends Common {
  readonly wagerId: string;
  readonly wagerRef: string;
}

const commonColumns = (r: Common) => ({
  psp_id: r.psp,
  id: r.id,
  account_id: r.account,
  recorded_by: r.recordedBy,
  ref: r.ref,
  amount: r.amount,
  currency: r.currency,
  country: r.country,
  sealed: r.sealed,
  subject: r.subject,
  created_at: r.createdAt,
  evidence: JSON.stringify(r.evidence),
  request: r.request,
  observations: JSON.stringify(r.observations),
});

export const wagerRow = (w: WagerRecord) =>
  row('wagers', { ...commonColumns(w), product_line: w.productLine, ip: w.ipNetwork });
export const payoutRow = (p: PayoutRecord) =>
  row('payouts', { ...commonColumns(p), wager_id: p.wagerId, wager_ref: p.wagerRef });

const commonFromRow = (r: Row): Common => ({
  psp: r.psp_id as string,
  id: r.id as string,
  account: r.account_id as string,
  recordedBy: r.recorded_by as string,
  ref: r.ref as string,
  amount: r.amount as string,
  currency: r.currency as string,
  country: r.country as string,
  evidence: JSON.parse(r.evidence as string),
  request: r.request as string,
  observations: JSON.parse(r.observations as string),
  sealed: r.sealed as string | null,
  subject: r.subject as string | null,
  createdAt: r.created_at as string,
});
export function wagerFromRow(r: Row): WagerRecord {
  const ip = r.ip as string;
  return {
    ...commonFromRow(r),
    productLine: r.product_line as string,
    ...(ip.includes('/') ? { ipNetwork: ip } : { ipNetwork: coarseNetwork(ip), ip }),
  };
}
export const payoutFromRow = (r: Row): PayoutRecord => ({
  ...commonFromRow(r),
  wagerId: r.wager_id as string,
  wagerRef: r.wager_ref as string,
});

const refText = (psp: unknown, account: unknown, ref: unknown) => `${psp}|${account}|${ref}`;

/** @param more further columns, of the record t or its ref r */
function byRef<T>(
  name: string,
  table: 'wagers' | 'payouts',
  space: 'wager' | 'payout',
  read: (r: Row) => T,
  more = '',
): FactLoader<RefKey, T> {
  return {
    name,
    text: (k) => refText(k.psp, k.account, k.ref),
    async load(db, keys) {
      const rows = await db.query(
        `SELECT t.*${more} FROM refs r
         JOIN unnest($1::uuid[], $2::text[], $3::uuid[]) AS k(p, f, a)
           ON r.psp_id = k.p AND r.space = '${space}' AND r.ref = k.f AND r.account_id = k.a
         JOIN ${table} t ON t.psp_id = r.psp_id AND t.id = r.target_id`,
        [keys.map((k) => k.psp), keys.map((k) => k.ref), keys.map((k) => k.account)],
      );
      return new Map(rows.map((r) => [refText(r.psp_id, r.account_id, r.ref), read(r)]));
    },
  };
}

export const wagerByRef = byRef('wager-by-ref', 'wagers', 'wager', wagerFromRow);
export const payoutByRef = byRef('payout-by-ref', 'payouts', 'payout', payoutFromRow);

/** A wager as a payout finds it. */
export interface WagerHeld {
  readonly wager: WagerRecord;
  /** Of its ref; grows with every payout, so that no two are decided on the same sum. */
  readonly refRevision: number;
  /** Sum of its payouts so far, plain decimal text. */
  readonly paid: string;
}

export const wagerHeld = byRef<WagerHeld>(
  'wager-held',
  'wagers',
  'wager',
  (r) => ({ wager: wagerFromRow(r), refRevision: r.ref_revision as number, paid: r.paid as string }),
  `, r.revision AS ref_revision,
     (SELECT coalesce(sum(p.amount), 0)::text FROM payouts p WHERE p.psp_id = t.psp_id AND p.wager_id = t.id) AS paid`,
);

export async function findWager(db: Database, psp: string, id: string): Promise<WagerRecord | undefined> {
  const [r] = await db.query('SELECT * FROM wagers WHERE psp_id = $1 AND id = $2', [psp, id]);
  return r && wagerFromRow(r);
}

export async function findPayout(db: Database, psp: string, id: string): Promise<PayoutRecord | undefined> {
  const [r] = await db.query('SELECT * FROM payouts WHERE psp_id = $1 AND id = $2', [psp, id]);
  return r && payoutFromRow(r);
}

const commonResource = (r: Common) => ({
  ref: r.ref,
  amount: wireNumber(r.amount),
  currency: r.currency,
  countryCode: r.country,
  clientId: accountWire(r.psp, r.account),
  recordedBy: accountWire(r.psp, r.recordedBy),
  taxes: r.evidence.tax.map((t) => ({ ruleId: t.rule, taxableAmount: wireNumber(t.taxable), tax: wireNumber(t.tax) })),
  observations: r.observations,
  createdAt: r.createdAt,
});

export const wagerResource = (w: WagerRecord) => ({
  wagerId: toWire('wager', w.id),
  ...commonResource(w),
  type: w.productLine,
  ipNetwork: w.ipNetwork,
  ...(w.ip === undefined ? {} : { ip: w.ip }),
});
export const payoutResource = (p: PayoutRecord) => ({
  payoutId: toWire('payout', p.id),
  ...commonResource(p),
  wagerId: toWire('wager', p.wagerId),
  wagerReference: p.wagerRef,
});
