// Records a chargeback: a separate document; the transaction itself stays unchanged.
import { toWire } from '../../../core/ids.ts';
import { formatDecimal, type Numeral } from '../../../core/money.ts';
import { phrase, refuse, said } from '../../../core/refusal.ts';
import { plain } from '../../../core/sums.ts';
import { reversal, type TransactionRecord } from '../../../core/transaction.ts';
import { callerOf, outcomeOf } from '../../../core/transaction-states.ts';
import { type Command, need } from '../../../platform/committer.ts';
import { journalRow, row } from '../../kernel/journal.ts';
import {
  Amount,
  type Call,
  KnownRef,
  Money,
  Named,
  type Needs,
  operation,
  type Reply,
  Type,
} from '../../kernel/operation.ts';
import { accountOfRef, type RecordOfRef, unknownRef } from '../change.ts';
import { changedRows } from '../changed-rows.ts';
import { ownSumNeeds, sumWrites } from '../tax-sums.ts';
import { transactionByRef } from '../transaction-store.ts';

export const chargeBack = operation({
  id: 'chargeBack',
  method: 'POST',
  path: '/v1/transaction/chargeBack',
  spec: '4.4',
  tag: 'Transactions',
  summary: 'Record a chargeback',
  description:
    'Returns the amounts to subtract from later settlements. Only the PSP may file a chargeback, and only once per transaction, of its whole amount: for its own transactions and for those its clients recorded with their own keys.',
  audience: ['psp', 'client'],
  // Spec 4.4
  body: Type.Object({
    ref: KnownRef(),
    amount: Type.Optional(
      Amount(
        'The amount of the transaction, for a caller that wants it checked: a chargeback returns all of it, and a part is refused.',
      ),
    ),
  }),
  content: Named('Chargeback', 'A chargeback with the amounts to subtract from later settlements.', {
    vatAmount: Money(),
    processingFee: Money(),
    merchantAmount: Money(),
    transactionFee: Money(),
    transactionVAT: Money(),
    chargebackId: Type.String(),
    transactionId: Type.String(),
    ref: Type.String(),
  }),
  example: { ref: 'order-1001' },
  refusals: ['NOT_FOUND', 'REF_AMBIGUOUS', 'NOT_RECORDER', 'ALREADY_CHARGED_BACK', 'STATE_CONFLICT'],
  async handle(call, s: Needs<'ids' | 'db' | 'committer'>) {
    const { ref, amount } = call.body;
    return s.committer.submit(chargingBack(s, call, { account: await accountOfRef(s, call, ref), ref }, amount));
  },
});

/**
 * The command that charges back the transaction of an account's ref, for a commit of its own or together with more.
 * @param amount what the caller takes the transaction's amount for
 */
export function chargingBack(
  s: Needs<'ids'>,
  call: Call,
  { account, ref }: RecordOfRef,
  amount?: Numeral,
): Command<Reply> {
  const { principal } = call;
  const key = { psp: principal.psp, space: 'transaction', ref, account };
  const held = need(transactionByRef, key);
  const at = new Date(call.now).toISOString();
  return {
    account,
    keys: [`t|${principal.psp}|${ref}`],
    needs: [held],
    furtherNeeds: (facts) => ownSumNeeds(facts(held)?.transaction),
    decide(facts) {
      const h = facts(held);
      if (!h) return unknownRef(ref);
      const before = h.transaction;
      const outcome = outcomeOf(before, 'chargeBack', callerOf(principal, before.recordedBy));
      if (outcome === 'NOT_RECORDER')
        return refuse(
          'NOT_RECORDER',
          said`only your PSP may file the chargeback of the transaction with the ref '${ref}'`,
        );
      if (outcome === 'ALREADY_CHARGED_BACK')
        return refuse(
          'ALREADY_CHARGED_BACK',
          said`a chargeback for the transaction with the ref '${ref}' exists already`,
        );
      if (outcome === 'STATE_CONFLICT')
        return refuse(
          'STATE_CONFLICT',
          said`the transaction with the ref '${ref}' is ${phrase(before.status)}; only an APPROVED one can be charged back`,
        );
      if (amount && (!amount.decimal || plain(formatDecimal(amount.decimal)) !== plain(before.amount)))
        return refuse(
          'FIELD_INVALID',
          said`the field 'amount' is not that of the transaction with the ref '${ref}', ${plain(before.amount)}: a chargeback returns all of a transaction. For a part, charge all of it back and verify what remains as a new transaction`,
        );
      const id = s.ids.next();
      const after: TransactionRecord = {
        ...before,
        chargeback: { id, at },
        revision: before.revision + 1,
        updatedAt: at,
      };
      const counted = sumWrites(s, facts, before, after);
      const amounts = reversal(after);
      const resource = {
        chargebackId: toWire('chargeback', id),
        transactionId: toWire('transaction', after.id),
        ref,
      };
      return {
        reply: { message: 'chargeback recorded', content: { ...amounts, ...resource } },
        together: counted.together,
        writes: {
          refsHeld: [{ ...key, revision: h.refRevision }, ...counted.refsHeld],
          refsNew: counted.refsNew,
          rows: [
            row('chargebacks', {
              psp_id: principal.psp,
              id,
              transaction_id: after.id,
              account_id: account,
              recorded_by: principal.account,
              created_at: at,
              amounts: JSON.stringify(amounts),
            }),
            journalRow(s, principal, at, {
              kind: 'chargeback.created',
              psp: principal.psp,
              account,
              resourceId: id,
              version: 1,
              data: { ...resource, amounts },
            }),
            ...changedRows(s, call, after),
          ],
        },
      };
    },
  };
}
