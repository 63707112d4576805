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
  readonly fromAddress?: string;
}

export const namedIn = (kind: TransactionKind, b: Named): FoundBy => ({
  customer: b.customer?.email,
  msisdn: b.customer?.phoneNumber,
  wallet: walletIn(kind, b),
  chainHash: b.blochainHash,
});

/** The wallet that crypto assets went to or came from. */
function walletIn(kind: TransactionKind, b: Named): string | undefined {
  if (kind === 'cryptoDeposit') return b.fromAddress;
  return kind === 'cryptoWithdrawal' && typeof b.toAddress === 'string' ? b.toAddress : undefined;
}

export const transactionLookups = (s: Needs<'subjects' | 'log'>): Backfill =>
  lookupsBackfill(s, {
    kind: 'transaction',
    personal: personalFields,
    row: personalRow,
    read: readTransactions,
    namedIn: (body, t) => namedIn(t.kind, body),
  });
