// Asks in the decision on a crypto payment whether its wallet is on hold. Exact: the commit of a hold raises the number that
// the decision expects, so that none is committed after it on what was before.
import { type PspId, toWire } from '../../core/ids.ts';
import { heldReason, isHeldBy } from '../../core/wallets/wallet-hold.ts';
import { type Facts, need } from '../../platform/committer.ts';
import type { Needs } from '../kernel/needs.ts';
import { plainForm, walletsOf } from '../search/index.ts';
import { holdsOfWallet } from './hold-store.ts';

/** @param address undefined for what names no wallet @param now milliseconds */
export function checkWallet(s: Needs<'subjects' | 'vault'>, psp: PspId, address: string | undefined, now: number) {
  const plain = address === undefined ? undefined : plainForm('wallet', address);
  if (plain === undefined) return undefined;
  const holds = need(holdsOfWallet, { psp, wallet: s.subjects.identify(psp, plain).subject });
  return {
    needs: [holds],
    /** What the decision rests on. */
    expects: (facts: Facts) => [{ psp, epoch: facts(holds)?.epoch ?? 0 }],
    /** @param record id of the payment @returns undefined if no hold is in force */
    declined(facts: Facts, record: string) {
      const at = new Date(now).toISOString();
      const held = facts(holds)?.holds.find((h) => isHeldBy(h, at));
      if (!held) return undefined;
      return {
        reason: heldReason,
        evidence: { code: 'RISK_POLICY', matches: markOf(s, psp, record, held.id) },
        rows: [],
      };
    },
  };
}

/** What a payment's evidence has of the hold that declined it. */
const markOf = (s: Needs<'vault'>, psp: PspId, record: string, hold: string) =>
  s.vault.blind(`wallet-hold|${psp}|${record}|${hold}`);

/** The hold that declined a payment, as on the wire; undefined if it was something else. @param mark of its evidence */
export async function decliningHold(s: Needs<'db' | 'vault'>, psp: PspId, record: string, mark: string | undefined) {
  const wallet = mark && (await walletsOf(s.db, psp, [record])).get(record);
  if (!wallet) return undefined;
  const key = { psp, wallet };
  const holds = (await holdsOfWallet.load(s.db, [key])).get(holdsOfWallet.text(key))?.holds;
  const hold = holds?.find((h) => markOf(s, psp, record, h.id) === mark);
  return hold && toWire('walletHold', hold.id);
}
