import { fromWire } from '../../../core/ids.ts';
import { notFound, refuse } from '../../../core/refusal.ts';
import { isHeldBy } from '../../../core/wallets/wallet-hold.ts';
import { Id, type Needs, operation, Prose, type Reply, Text, Time, Type } from '../../kernel/operation.ts';
import { type RaisingNeeds, recordRaised } from '../../kernel/raised-epoch.ts';
import { plainForm, walletsOf } from '../../search/index.ts';
import { holdsOfWallet } from '../hold-store.ts';
import { ShownWalletHold, shownHold } from '../shown-hold.ts';
import { addressPlace, newWalletHold, walletHoldRows } from '../wallet-holds.ts';

/** Holds in force of one wallet. */
const most = 100;

export const holdWallet = operation({
  id: 'holdWallet',
  method: 'POST',
  path: '/v1/wallet-hold',
  tag: 'Risk rules',
  area: 'records',
  summary: 'Put a wallet on hold',
  description:
    'From then on crypto withdrawals to the wallet and crypto deposits that name it are declined, for all clients of the PSP, with the public code RISK_POLICY; a client reads neither hold nor reason. An address in another case is the same wallet. An equal hold by the same caller that is in force is returned as it is.',
  audience: ['psp'],
  ofPsp: true,
  roles: ['administrator', 'reviewer'],
  idempotent: true,
  body: Type.Object({
    address: Type.Optional(Text('Address of the wallet; stored sealed. Or name a transaction.', 200)),
    transactionId: Type.Optional(Id('A crypto deposit or withdrawal that names the wallet, `txn_…`.')),
    reason: Prose('Reason, for the PSP and staff; recorded in the journal: name no persons.', 500),
    until: Type.Optional(Time('When it ends; without it, when somebody ends it.')),
  }),
  content: ShownWalletHold,
  example: { address: '0x098B716B8Aaf21512996dC57EB0615e2383E2f96', reason: 'funds of a theft that was reported' },
  refusals: ['NOT_FOUND', 'LIMIT_REACHED'],
  async handle({ principal, body: b, now }, s: RaisingNeeds & Needs<'ids' | 'vault'>) {
    const { psp } = principal;
    const at = new Date(now).toISOString();
    if ((b.address === undefined) === (b.transactionId === undefined))
      throw refuse('FIELD_INVALID', "one of the fields 'address' and 'transactionId' is required");
    const untilAt = b.until === undefined ? null : new Date(b.until).toISOString();
    if (untilAt !== null && untilAt <= at) throw refuse('FIELD_INVALID', "the field 'until' must be later than now");
    const transaction = b.transactionId === undefined ? null : fromWire('transaction', b.transactionId);
    if (transaction === undefined) throw notFound();
    const wallet =
      transaction === null
        ? s.subjects.identify(psp, plainForm('wallet', b.address ?? '') ?? '').subject
        : (await walletsOf(s.db, psp, [transaction])).get(transaction);
    if (wallet === undefined) throw refuse('NOT_FOUND', "the field 'transactionId' names no transaction with a wallet");
    return recordRaised<Reply>(s, psp, async (tx) => {
      const key = { psp, wallet };
      const holds = (await holdsOfWallet.load(tx, [key])).get(holdsOfWallet.text(key))?.holds ?? [];
      const inForce = holds.filter((h) => isHeldBy(h, at));
      const same = inForce.find(
        (h) => h.setBy === principal.actor && h.reason === b.reason && h.untilAt === untilAt && h.caseId === null,
      );
      if (same)
        return {
          writes: { rows: [] },
          reply: { message: 'the wallet is on hold', content: shownHold(s, same, at), replayed: true },
        };
      if (inForce.length >= most) throw refuse('LIMIT_REACHED', 'a wallet can have at most 100 holds');
      const id = s.ids.next();
      const addressSealed = b.address === undefined ? null : s.vault.seal(b.address.trim(), addressPlace(id));
      const of = { id, psp, wallet, addressSealed, transaction, untilAt, reason: b.reason, setBy: principal.actor };
      const hold = newWalletHold(s, at, of);
      return {
        writes: { rows: walletHoldRows(s, principal, hold, b.reason) },
        reply: { message: 'wallet put on hold', content: shownHold(s, hold, at) },
      };
    });
  },
});
