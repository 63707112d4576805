// What the staff's operations on accounts share: the reason, the account of the path, and how it is shown.
import { accountFromWire } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { accountResource } from './account-resource.ts';
import { findAccount, findAnyAccount, type HasAccounts } from './accounts.ts';
import type { ForgetsSessions } from './changed-standing.ts';
import type { HasKeys } from './keys.ts';

export type Uses = Needs<'settings' | 'ids' | 'db' | 'committer'> & HasAccounts & HasKeys & ForgetsSessions;
export function accountParam(call: Pick<Call, 'params'>): string {
  const id = accountFromWire(call.params.accountId ?? '');
  if (!id) throw notFound();
  return id;
}

export async function shown(s: Needs<'settings' | 'db'>, id: string, now: number) {
  const a = await findAnyAccount(s.db, id);
  const psp = a && (a.id === a.psp ? a : await findAccount(s.db, a.psp, a.psp));
  if (!a || !psp) throw notFound();
  return accountResource(s, a, psp, new Date(now).toISOString(), 'operator');
}
