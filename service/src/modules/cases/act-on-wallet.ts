// Holds of wallets that are placed and ended from a case, in the commit of the case and under the lock that makes
// payments on what was before fail.
import type { Case } from '../../core/cases/case.ts';
import { type TransactionId, toWire } from '../../core/ids.ts';
import { notFound, refuse } from '../../core/refusal.ts';
import { endedAt, isHeldBy } from '../../core/wallets/wallet-hold.ts';
import { type Facts, need } from '../../platform/committer.ts';
import type { Call } from '../kernel/operation.ts';
import { walletsOf } from '../search/index.ts';
import { holdsOfWallet, newWalletHold, stillHeld, walletHoldOf, walletHoldRows } from '../wallets/index.ts';
import type { CaseNeeds, Together } from './change-case.ts';

/**
 * Once: a wallet that the case, or a rule whose alert is in it, holds already is left as it is.
 * @throws NOT_FOUND if the transaction names no wallet
 */
export async function walletHeld(
  s: CaseNeeds,
  call: Call,
  c: Case,
  { reason }: { readonly reason: string },
  transaction: TransactionId,
): Promise<{ readonly holdId: string; readonly together: Together }> {
  const { principal } = call;
  const wallet = (await walletsOf(s.db, c.psp, [transaction])).get(transaction);
  if (wallet === undefined) throw refuse('NOT_FOUND', "the field 'transactionId' names no transaction with a wallet");
  const at = new Date(call.now).toISOString();
  const hold = newWalletHold(s, at, {
    ...{ psp: c.psp, wallet, transaction, caseId: c.id, reason, setBy: principal.actor },
  });
  const known = need(holdsOfWallet, { psp: c.psp, wallet });
  const together: Together = {
    keys: [],
    raises: true,
    needs: [known],
    decide: (facts) =>
      facts(known)?.holds.some((h) => h.caseId === c.id && isHeldBy(h, at))
        ? undefined
        : { rows: walletHoldRows(s, principal, hold, reason) },
  };
  return { holdId: toWire('walletHold', hold.id), together };
}

/** Ends a hold of a wallet that a second person agreed to end. */
export function walletReleased(s: CaseNeeds, call: Call, c: Case, id: string): Together {
  const held = need(walletHoldOf, { psp: c.psp, id });
  const ofWallet = (facts: Facts) => need(holdsOfWallet, { psp: c.psp, wallet: facts(held)?.wallet ?? '' });
  const reason = `Approved in case ${c.number}; proposed by ${c.proposed?.by}.`;
  return {
    keys: [],
    raises: true,
    needs: [held],
    furtherNeeds: (facts) => [ofWallet(facts)],
    decide(facts) {
      const before = facts(held);
      if (!before) return notFound();
      const at = new Date(call.now).toISOString();
      // What ended meanwhile is left as it is; the proposal is decided all the same.
      const rows = isHeldBy(before, at) ? walletHoldRows(s, call.principal, endedAt(before, at), reason) : [];
      return { rows, besides: stillHeld(facts(ofWallet(facts))?.holds ?? [], id, at) };
    },
  };
}
