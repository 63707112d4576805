// What placing and ending a hold of a wallet writes, and its wire form. Commits nothing itself.
import { toWire } from '../../core/ids.ts';
import { othersHold } from '../../core/standing.ts';
import { isHeldBy, type WalletHold } from '../../core/wallets/wallet-hold.ts';
import { resourceOf } from '../../entries/schema.ts';
import { WalletHoldResource } from '../../entries/wallet-holds.ts';
import type { Row } from '../../platform/committer.ts';
import { journalRow } from '../kernel/journal.ts';
import type { Needs, Principal } from '../kernel/needs.ts';
import { walletHoldRow } from './hold-store.ts';

/** @param at ISO UTC */
export const walletHoldResource = (h: WalletHold, at: string) =>
  resourceOf(WalletHoldResource, h, {
    holdId: toWire('walletHold', h.id),
    walletId: h.wallet,
    transactionId: h.transaction && toWire('transaction', h.transaction),
    caseId: h.caseId && toWire('case', h.caseId),
    until: h.untilAt,
    inForce: isHeldBy(h, at),
  });

/** Where the address of a hold is sealed. */
export const addressPlace = (id: string): string => `wallet_holds/${id}`;

/** @param at ISO UTC */
export const newWalletHold = (
  s: Needs<'ids'>,
  at: string,
  h: Pick<WalletHold, 'psp' | 'wallet' | 'reason' | 'setBy'> &
    Partial<Pick<WalletHold, 'id' | 'addressSealed' | 'transaction' | 'caseId' | 'untilAt'>>,
): WalletHold => ({
  ...{ id: s.ids.next(), addressSealed: null, transaction: null, caseId: null, untilAt: null },
  ...h,
  ...{ version: 1, createdAt: at, updatedAt: at },
});

/** @param h of version 1 if it is new @param reason why it is placed or ended */
export const walletHoldRows = (s: Needs<'ids'>, principal: Principal, h: WalletHold, reason: string): Row[] => [
  walletHoldRow(h),
  journalRow(s, principal, h.updatedAt, {
    kind: h.version === 1 ? 'wallet_hold.placed' : 'wallet_hold.ended',
    psp: h.psp,
    account: h.psp,
    resourceId: h.id,
    version: h.version,
    data: walletHoldResource(h, h.updatedAt),
    evidence: { reason },
  }),
];

/** What is said beside the end of a hold, where others keep the wallet on hold; undefined if none does. @param at ISO UTC */
export function stillHeld(holds: readonly WalletHold[], ended: string, at: string): string | undefined {
  const others = holds.filter((h) => h.id !== ended && isHeldBy(h, at)).map((h) => toWire('walletHold', h.id));
  return othersHold('the wallet', others);
}
