// The account a list is limited to, if a client may be named by id as well as by header.
import { type AccountId, accountFromWire } from '../../core/ids.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import type { Needs } from '../kernel/needs.ts';
import type { Call } from '../kernel/operation.ts';
import { type HasAccounts, listedAccount } from './accounts.ts';

/**
 * The account a list is limited to, by x-client-id or `clientId`.
 * @throws NOT_FOUND
 */
export async function listedClient(
  services: Needs<'db'> & HasAccounts,
  { principal, onBehalfOf }: Pick<Call, 'principal' | 'onBehalfOf'>,
  clientId: string | undefined,
): Promise<AccountId | undefined> {
  const named = clientId === undefined ? onBehalfOf : accountFromWire(clientId);
  if (clientId !== undefined && (named === undefined || (onBehalfOf ?? named) !== named)) throw notFound();
  const account = await listedAccount(services, principal, named);
  if (account instanceof Refusal) throw account;
  return account;
}
