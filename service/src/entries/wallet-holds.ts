// Holds of wallets: the resource as journalled, and its entries. They name nobody: a wallet is a keyed hash.
import { Reason } from './accounts.ts';
import { entry } from './define.ts';
import { Named, Nullable, Type } from './schema.ts';

export const WalletHoldResource = Named('WalletHold', 'A hold of a wallet.', {
  holdId: Type.String({ description: 'Its id, `whd_…`.' }),
  walletId: Type.String({ description: 'Keyed hash of the address, which getPerson takes as `personId`.' }),
  transactionId: Nullable(Type.String(), 'The transaction that names the wallet; null where the address was given.'),
  caseId: Nullable(Type.String(), 'The case it was placed from; two people end it from there.'),
  reason: Type.String({ description: 'Reason, for the PSP and staff.' }),
  until: Nullable(Type.String(), 'When it ends, ISO 8601 UTC; null until somebody ends it.'),
  inForce: Type.Boolean({ description: 'Whether it declines payments at the moment of the reply.' }),
  setBy: Type.String({
    description: 'Person, key or rule that placed it: `usr_…`, `key_…`, or `rule:` and the id of a rule.',
  }),
  version: Type.Integer(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});

export const walletHoldEntries = {
  'wallet_hold.placed/1': entry('A wallet was put on hold.', { data: WalletHoldResource, evidence: Reason }),
  'wallet_hold.ended/1': entry('A hold of a wallet was ended.', { data: WalletHoldResource, evidence: Reason }),
};
