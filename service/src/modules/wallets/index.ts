// What other modules may use of holds of wallets.
export { findWalletHold, holdsOfWallet, walletHoldOf } from './hold-store.ts';
export { checkWallet, decliningHold } from './wallet-check.ts';
export { newWalletHold, stillHeld, walletHoldRows } from './wallet-holds.ts';
