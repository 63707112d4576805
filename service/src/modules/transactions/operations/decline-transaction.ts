import { localDate } from '../../../core/calendar.ts';
import { toWire } from '../../../core/ids.ts';
import { refuse, said } from '../../../core/refusal.ts';
import { observeUndoing } from '../../../core/risk/undone.ts';
import type { TransactionRecord } from '../../../core/transaction.ts';
import { callerOf, declinedReason, outcomeOf } from '../../../core/transaction-states.ts';
import { type Command, need } from '../../../platform/committer.ts';
import { basketByTransaction } from '../../baskets/index.ts';
import { type Call, KnownRef, Named, type Needs, operation, type Reply, Type } from '../../kernel/operation.ts';
import { releaseNettings, standingNettings } from '../../settlement/index.ts';
import { accountOfRef, type RecordOfRef, unknownRef } from '../change.ts';
import { changedRows } from '../changed-rows.ts';
import { basketRows, gates } from '../decided-rows.ts';
import { ownSumNeeds, sumWrites } from '../tax-sums.ts';
import { transactionByRef } from '../transaction-store.ts';

export const declineTransaction = operation({
  id: 'declineTransaction',
  method: 'POST',
  path: '/v1/transaction/declineTransaction',
  spec: '4.3',
  tag: 'Transactions',
  summary: 'Decline a transaction that was verified',
  description:
    'Only the account that recorded the transaction, or its PSP, may decline it (403). The decline holds if the same verification is repeated; a changed body is decided by the standing again. Repeating the call gives the same response. A transaction that was charged back can no longer be declined (409).',
  audience: ['psp', 'client'],
  idempotent: true,
  // Spec 4.3
  body: Type.Object({ ref: KnownRef() }),
  content: Named('DeclinedTransaction', 'The transaction that was declined.', {
    transactionId: Type.String(),
    ref: Type.String(),
    status: Type.Literal('DECLINED'),
  }),
  example: { ref: 'order-1001' },
  refusals: ['NOT_FOUND', 'REF_AMBIGUOUS', 'NOT_RECORDER', 'ALREADY_CHARGED_BACK'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer' | 'rates'>) {
    const { ref } = call.body;
    return s.committer.submit(declining(s, call, { account: await accountOfRef(s, call, ref), ref }));
  },
});

/** The command that declines the transaction of an account's ref, for a commit of its own or together with more. */
export function declining(s: Needs<'ids' | 'rates'>, call: Call, { account, ref }: RecordOfRef): Command<Reply> {
  const { principal } = call;
  const key = { psp: principal.psp, space: 'transaction', ref, account };
  const held = need(transactionByRef, key);
  const at = new Date(call.now).toISOString();
  return {
    account,
    keys: [`t|${principal.psp}|${ref}`],
    needs: [held],
    furtherNeeds(facts) {
      const h = facts(held);
      if (!h) return [];
      const { transaction: t } = h;
      return [
        standingNettings(t),
        ...ownSumNeeds(t),
        ...(t.basketId ? [need(basketByTransaction, { psp: principal.psp, transaction: t.id })] : []),
      ];
    },
    decide(facts) {
      const h = facts(held);
      if (!h) return unknownRef(ref);
      const before = h.transaction;
      const reply = {
        message: 'transaction declined',
        content: { transactionId: toWire('transaction', before.id), ref, status: 'DECLINED' },
      };
      const caller = callerOf(principal, before.recordedBy);
      const outcome = outcomeOf(before, 'decline', caller);
      if (outcome === 'NOT_RECORDER')
        return refuse(
          'NOT_RECORDER',
          said`the transaction with the ref '${ref}' was recorded by your PSP; only it may decline it`,
        );
      if (outcome === 'ALREADY_CHARGED_BACK')
        return refuse(
          'ALREADY_CHARGED_BACK',
          said`the transaction with the ref '${ref}' was charged back and cannot be declined`,
        );
      if (outcome === 'REPLAY') return { reply: { ...reply, replayed: true } };
      const changed: TransactionRecord = {
        ...before,
        status: 'DECLINED',
        reason: declinedReason(before, caller),
        revision: before.revision + 1,
        updatedAt: at,
      };
      const today = localDate(s.rates.book.country(before.country)?.timeZone ?? 'UTC', call.now);
      const after: TransactionRecord = {
        ...changed,
        observations: [...before.observations, ...observeUndoing(before, changed, true, today)],
      };
      const b = before.basketId
        ? facts(need(basketByTransaction, { psp: principal.psp, transaction: before.id }))
        : undefined;
      const counted = sumWrites(s, facts, before, after);
      const refs = gates(after, h, b);
      return {
        reply,
        together: counted.together,
        writes: {
          refsHeld: [...refs.refsHeld, ...counted.refsHeld],
          refsNew: [...refs.refsNew, ...counted.refsNew],
          rows: [
            ...changedRows(s, call, after),
            ...releaseNettings(s, call, before, after, facts(standingNettings(before))),
            ...basketRows(s, call, b, 'declineTransaction', at),
          ],
        },
      };
    },
  };
}
