// The client that a request names in its path, for those who may see it.
import { accountFromWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import { type Account, findAccount, findAnyAccount } from '../accounts/index.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Call } from '../kernel/operation.ts';

/** A client reaches itself, a PSP its clients, an operator all. @throws NOT_FOUND */
export async function clientAsked(
  s: Needs<'db'>,
  { principal, params }: Pick<Call, 'principal' | 'params'>,
): Promise<Account> {
  const id = accountFromWire(params.clientId ?? '');
  if (!id || (principal.kind === 'client' && id !== principal.account)) throw notFound();
  const account =
    principal.kind === 'operator' ? await findAnyAccount(s.db, id) : await findAccount(s.db, principal.psp, id);
  if (account?.kind !== 'client') throw notFound();
  return account;
}
