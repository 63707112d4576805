// Ids of different kinds cannot be confused: the lines marked here must not compile, or `npm run typecheck` fails.
import { expect, it } from 'vitest';
import { type AccountId, accountWire, fromWire, type PspId, type TransactionId, toWire } from '../../src/core/ids.ts';
import { concerned, findAccount } from '../../src/modules/accounts/index.ts';
import type { Principal } from '../../src/modules/kernel/principal.ts';
import { reviewsAbout } from '../../src/modules/reviews/review-store.ts';
import { findTransaction } from '../../src/modules/transactions/index.ts';
import { findWager } from '../../src/modules/wagers/wager-store.ts';
import type { Database } from '../../src/platform/database.ts';
import type { RowOf } from '../../src/records/define.ts';
import type { transactions } from '../../src/records/transactions.ts';
import { readSources } from './sources.ts';

type Directory = Parameters<typeof concerned>[0];

/** Never called: the compiler reads it. */
export function swapped(db: Database, directory: Directory, p: Principal, row: RowOf<typeof transactions>) {
  return [
    findAccount(db, p.psp, p.account),
    // A PSP is an account too, as the account of what it records itself.
    findAccount(db, p.psp, p.psp),
    // @ts-expect-error an account is no PSP
    findAccount(db, p.account, p.psp),
    // @ts-expect-error an account is no PSP
    concerned(directory, row.account_id, row.psp_id),
    // @ts-expect-error an account is no PSP
    accountWire(row.account_id, row.psp_id),
    findTransaction(db, row.psp_id, row.id),
    // @ts-expect-error a transaction is no PSP
    findTransaction(db, row.id, row.psp_id),
    // @ts-expect-error an account is no transaction
    findTransaction(db, row.psp_id, row.account_id),
    // @ts-expect-error what a review is called on the wire is no transaction
    findTransaction(db, row.psp_id, fromWire('review', 'rev_01h455vb4pex5vsknk084sn02q') ?? row.id),
    reviewsAbout(db, row.psp_id, row.id),
    // @ts-expect-error an account is no PSP
    reviewsAbout(db, row.account_id, row.id),
    // @ts-expect-error a transaction is no PSP
    findWager(db, row.id, 'a'),
    // @ts-expect-error a transaction is not shown as a review
    toWire('review', row.id),
  ];
}

it('ids of one kind are texts, which nothing is needed to make', () => {
  const ids: [PspId, AccountId, TransactionId] = ['a', 'b', 'c'];
  expect(ids.join('')).toBe('abc');
});

it('what takes the id of a PSP says so, and not just text', () => {
  const still = readSources()
    .sources.filter((s) => !s.path.startsWith('adapters/') && /\bpsps?\??: (?:string|readonly string\[\])/.test(s.text))
    .map((s) => s.path.split('/').slice(0, 2).join('/'));
  expect([...new Set(still)].sort()).toEqual([]);
});
