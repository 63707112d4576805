import { type AccountId, accountFromWire, accountWire, fromWire, type PspId, toWire } from '../../../core/ids.ts';
import { notFound } from '../../../core/refusal.ts';
import type { Database } from '../../../platform/database.ts';
import { findAnyAccount } from '../../accounts/index.ts';
import { Named, type Needs, operation, Type } from '../../kernel/operation.ts';
import { findAnyFile, findSftpLoginById } from '../../telecom/index.ts';
import { findAnyWebhook } from '../../webhooks/index.ts';

async function ownerOf(db: Database, wireId: string): Promise<{ psp: PspId; account: AccountId } | undefined> {
  const account = accountFromWire(wireId);
  if (account) {
    const found = await findAnyAccount(db, account);
    return found && { psp: found.psp, account: found.id };
  }
  const webhook = fromWire('webhook', wireId);
  if (webhook) return findAnyWebhook(db, webhook);
  const file = fromWire('cdrFile', wireId);
  if (file) return findAnyFile(db, file);
  const login = fromWire('sftpLogin', wireId);
  return login && findSftpLoginById(db, login, {});
}

export const getOwner = operation({
  id: 'getOwner',
  method: 'GET',
  path: '/v1/admin/owner/:id',
  tag: 'Accounts',
  summary: 'Say which PSP and account an id belongs to',
  description:
    'Takes the id of an account, webhook address, call detail file or SFTP login. Send `pspId` in x-psp-id and `clientId` in x-client-id.',
  audience: ['operator'],
  content: Named('Owner', 'The PSP and the account that something belongs to.', {
    pspId: Type.String(),
    clientId: Type.String(),
  }),
  refusals: ['NOT_FOUND'],
  async handle({ params }, s: Needs<'db'>) {
    const owner = await ownerOf(s.db, params.id ?? '');
    if (!owner) throw notFound();
    const { psp, account } = owner;
    return { message: 'owner', content: { pspId: toWire('psp', psp), clientId: accountWire(psp, account) } };
  },
});
