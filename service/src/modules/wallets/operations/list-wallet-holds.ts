import { notFound } from '../../../core/refusal.ts';
import { type HasAccounts, listedClient } from '../../accounts/index.ts';
import { idIfAsked } from '../../kernel/asked.ts';
import { Id, type Needs, operation, Type } from '../../kernel/operation.ts';
import { clientQuery, Page, page, pageQuery, readPage } from '../../kernel/paging.ts';
import { walletsOf } from '../../search/index.ts';
import { listHolds } from '../hold-store.ts';
import { ShownWalletHold, shownHold } from '../shown-hold.ts';

export const listWalletHolds = operation({
  id: 'listWalletHolds',
  method: 'GET',
  path: '/v1/wallet-hold',
  tag: 'Risk rules',
  area: 'records',
  summary: 'List holds of wallets',
  description:
    'Holds of the PSP alone, newest first. To find those of an address, search for it (searchAll). With `clientId`: those of wallets that payments of this client name.',
  audience: ['psp'],
  query: Type.Object({
    ...pageQuery,
    ...clientQuery,
    inForce: Type.Optional(Type.Enum(['true'], { description: '`true`: only those in force.' })),
    walletId: Type.Optional(Id('Only holds of this wallet.')),
    transactionId: Type.Optional(Id('Only holds of the wallet that this transaction names.')),
    caseId: Type.Optional(Id('Only holds placed from this case.')),
  }),
  content: Page(ShownWalletHold),
  refusals: ['NOT_FOUND'],
  async handle(call, s: Needs<'db' | 'vault'> & HasAccounts) {
    const { query: q, now } = call;
    const { psp } = call.principal;
    const { limit, before } = readPage('walletHold', q);
    const at = new Date(now).toISOString();
    const transaction = idIfAsked('transaction', q.transactionId);
    const caseId = idIfAsked('case', q.caseId);
    const named = transaction && (await walletsOf(s.db, psp, [transaction])).get(transaction);
    if (transaction !== undefined && named === undefined) throw notFound();
    const rows = await listHolds(s.db, {
      ...{ psp, account: await listedClient(s, call, q.clientId), wallet: named ?? q.walletId, caseId, before, limit },
      at: q.inForce === undefined ? undefined : at,
    });
    return { message: 'holds of wallets', content: page('walletHold', rows, limit, (h) => shownHold(s, h, at)) };
  },
});
