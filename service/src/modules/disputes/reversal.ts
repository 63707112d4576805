// The effect of a won dispute on its chargeback: the transaction records when it was reversed, and its nettings are
// released. Totals and settlement post the reverse from that.
import type { Dispute } from '../../core/dispute.ts';
import { notFound } from '../../core/refusal.ts';
import type { TransactionRecord } from '../../core/transaction.ts';
import { type Facts, need } from '../../platform/committer.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { nettingsOfChargeback, released } from '../settlement/index.ts';
import { changedRows, findTransaction, ownSumNeeds, sumWrites, transactionByRef } from '../transactions/index.ts';

/** @throws NOT_FOUND */
export async function reversal(s: Needs<'ids' | 'db' | 'rates'>, call: Call, dispute: Dispute) {
  const { psp, account, chargeback } = dispute;
  const ref = (await findTransaction(s.db, psp, dispute.transaction))?.ref;
  if (!ref) throw notFound();
  const key = { psp, space: 'transaction', ref, account };
  const held = need(transactionByRef, key);
  const netted = need(nettingsOfChargeback, { psp, id: chargeback });
  return {
    keys: [`t|${psp}|${ref}`],
    needs: [held, netted],
    furtherNeeds: (facts: Facts) => ownSumNeeds(facts(held)?.transaction),
    writes(facts: Facts, at: string) {
      const found = facts(held);
      if (!found?.transaction.chargeback) throw new Error(`the chargeback ${chargeback} has no transaction`);
      const { transaction: before, refRevision } = found;
      const after: TransactionRecord = {
        ...before,
        chargeback: { id: chargeback, at: found.transaction.chargeback.at, reversedAt: at },
        revision: before.revision + 1,
        updatedAt: at,
      };
      const counted = sumWrites(s, facts, before, after);
      return {
        refsHeld: [{ ...key, revision: refRevision }, ...counted.refsHeld],
        refsNew: counted.refsNew,
        together: counted.together,
        rows: [...changedRows(s, call, after), ...released(s, call, after, facts(netted) ?? [])],
      };
    },
  };
}
