// The values deposits and withdrawals are found by, and the backfill for those recorded by version 0.1.
import type { TransactionKind } from '../../core/transaction.ts';
import type { Backfill } from '../../platform/backfills.ts';
import type { Needs } from '../kernel/needs.ts';
import { type FoundBy, lookupsBackfill } from '../search/index.ts';
import { personalFields, personalRow, readTransactions } from './transaction-store.ts';

export interface Named {
  readonly customer?: { readonly email: string; readonly phoneNumber?: string };
  readonly blochainHash?: string;
  /** A network address, or bank details in the caller's own format. */
  readonly toAddress?: unknown;
}

export const namedIn = (kind: TransactionKind, b: Named): FoundBy => ({
  customer: b.customer?.email,
  msisdn: b.customer?.phoneNumber,
  wallet: kind === 'cryptoWithdrawal' && typeof b.toAddress === 'string' ? b.toAddress : undefined,
  chainHash: b.blochainHash,
});

export const transactionLookups = (s: Needs<'subjects' | 'log'>): Backfill =>
  lookupsBackfill(s, {
    kind: 'transaction',
    personal: personalFields,
    row: personalRow,
    read: readTransactions,
    namedIn: (body, t) => namedIn(t.kind, body),
  });
