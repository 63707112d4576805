// A hold of a wallet as returned to its PSP and staff, with the address where one was given.
import type { WalletHold } from '../../core/wallets/wallet-hold.ts';
import { Extended, Nullable, Type } from '../../entries/schema.ts';
import { WalletHoldResource } from '../../entries/wallet-holds.ts';
import type { Needs } from '../kernel/needs.ts';
import { addressPlace, walletHoldResource } from './wallet-holds.ts';

export const ShownWalletHold = Extended(WalletHoldResource, 'ShownWalletHold', 'A hold of a wallet with its address.', {
  address: Nullable(Type.String(), 'The address as it was given; null where `transactionId` names it.'),
});

/** @param at ISO UTC */
export const shownHold = (s: Needs<'vault'>, h: WalletHold, at: string) => ({
  ...walletHoldResource(h, at),
  address: h.addressSealed && s.vault.open(h.addressSealed, addressPlace(h.id)),
});
