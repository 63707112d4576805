// All SQL on wagers and payouts.
import { accountWire, type PspId, toWire } from '../../core/ids.ts';
import { wireNumber } from '../../core/money.ts';
import type { Database } from '../../platform/database.ts';
import { ofOnly } from '../../platform/each-psp.ts';
import { coarseNetwork } from '../../platform/network.ts';
import type { RowOf } from '../../records/define.ts';
import { payouts } from '../../records/payouts.ts';
import { type RecordOf, tableOf } from '../../records/table.ts';
import { wagers } from '../../records/wagers.ts';
import { recordByRef } from '../kernel/facts.ts';
import { row } from '../kernel/journal.ts';

/** Fields of a wager or payout that are stored sealed. */
export const personalFields = ['customer', 'ip', 'coordinates'] as const;

/** Context under which its personal data is sealed. */
export const wagerPersonalRow = (id: string): string => `wagers/${id}`;
export const payoutPersonalRow = (id: string): string => `payouts/${id}`;

const names = { wager_id: 'wagerId' } as const;
export const wagerTable = tableOf(wagers);
export const payoutTable = tableOf(payouts, names);

export interface WagerRecord extends Omit<RecordOf<typeof wagers>, 'ip' | 'decidedOn'> {
  /** The /24 (IPv4) or /64 (IPv6) network it was placed from. */
  readonly ipNetwork: string;
  /** The readable address; only in wagers from version 0.1. */
  readonly ip?: string;
}
export type PayoutRecord = Omit<RecordOf<typeof payouts, typeof names>, 'decidedOn'>;

export const wagerRow = (w: WagerRecord) =>
  row('wagers', wagerTable.toRow({ ...w, ip: w.ipNetwork, decidedOn: w.evidence.date }));
export const payoutRow = (p: PayoutRecord) => row('payouts', payoutTable.toRow({ ...p, decidedOn: p.evidence.date }));

export function wagerFromRow(r: RowOf<typeof wagers>): WagerRecord {
  const { ip, ...wager } = wagerTable.fromRow(r);
  return ip.includes('/') ? { ...wager, ipNetwork: ip } : { ...wager, ipNetwork: coarseNetwork(ip), ip };
}

const ofWager = { space: 'wager', table: 'wagers' };
const ofPayout = { space: 'payout', table: 'payouts' };
export const wagerByRef = recordByRef('wager-by-ref', ofWager, wagerTable.columns('t'), wagerFromRow);
export const payoutByRef = recordByRef('payout-by-ref', ofPayout, payoutTable.columns('t'), payoutTable.fromRow);

/** A wager, with what a payout needs. */
export interface WagerHeld {
  readonly wager: WagerRecord;
  /** Revision of its ref; grows with every payout, so that no two are decided on the same sum. */
  readonly refRevision: number;
  /** Sum of its payouts so far, plain decimal text. */
  readonly paid: string;
  /** What of it gave the stake back. */
  readonly returned: string;
}

export const wagerHeld = recordByRef(
  'wager-held',
  ofWager,
  `${wagerTable.columns('t')}, r.revision AS ref_revision,
     (SELECT coalesce(sum(p.amount), 0)::text FROM payouts p
       WHERE p.psp_id = t.psp_id AND ${ofOnly('p.psp_id', 4)} AND p.wager_id = t.id) AS paid,
     (SELECT coalesce(sum(p.amount), 0)::text FROM payouts p
       WHERE p.psp_id = t.psp_id AND ${ofOnly('p.psp_id', 4)} AND p.wager_id = t.id
         AND p.evidence LIKE '%"stakeReturned":true%') AS returned`,
  (r: RowOf<typeof wagers> & { ref_revision: number; paid: string; returned: string }): WagerHeld => ({
    wager: wagerFromRow(r),
    refRevision: r.ref_revision,
    paid: r.paid,
    returned: r.returned,
  }),
);

/** @param rest SQL of the statement after the table's name */
export async function readWagers(db: Database, rest: string, values: readonly unknown[]): Promise<WagerRecord[]> {
  const rows = await db.query<RowOf<typeof wagers>>(`SELECT ${wagerTable.columns()} FROM wagers ${rest}`, values);
  return rows.map(wagerFromRow);
}

export async function findWager(db: Database, psp: PspId, id: string): Promise<WagerRecord | undefined> {
  const [found] = await readWagers(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);
  return found;
}

export const findPayout = (db: Database, psp: PspId, id: string): Promise<PayoutRecord | undefined> =>
  payoutTable.find(db, 'WHERE psp_id = $1 AND id = $2', [psp, id]);

const commonResource = (r: Omit<WagerRecord, 'productLine' | 'ipNetwork' | 'ip'>) => ({
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
  ...(p.evidence.stakeReturned ? { stakeReturned: true as const } : {}),
});
