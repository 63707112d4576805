// The values wagers and payouts are found by, and the backfills for those recorded by version 0.1.
import type { Backfill } from '../../platform/backfills.ts';
import type { Needs } from '../kernel/needs.ts';
import { type FoundBy, lookupsBackfill } from '../search/index.ts';
import { transactionLookups } from '../transactions/index.ts';
import { payoutPersonalRow, payoutTable, personalFields, readWagers, wagerPersonalRow } from './wager-store.ts';

export interface Named {
  readonly customer?: { readonly email: string; readonly phoneNumber?: string };
  /** For wagers. */
  readonly ip?: string;
}

export const namedIn = (b: Named): FoundBy => ({
  customer: b.customer?.email,
  msisdn: b.customer?.phoneNumber,
  ip: b.ip,
});

export const recordLookups = (s: Needs<'subjects' | 'log'>): readonly Backfill[] => [
  transactionLookups(s),
  lookupsBackfill(s, { kind: 'wager', personal: personalFields, row: wagerPersonalRow, read: readWagers, namedIn }),
  lookupsBackfill(s, {
    kind: 'payout',
    personal: personalFields,
    row: payoutPersonalRow,
    read: payoutTable.read,
    namedIn,
  }),
];
