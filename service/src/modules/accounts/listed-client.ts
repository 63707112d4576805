// The account a list or a change is limited to: by header, or by id as well where a client may be named so.
import { type AccountId, accountFromWire, type PspId } from '../../core/ids.ts';
import { notFound } from '../../core/refusal.ts';
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
  return listedAccount(services, principal, named);
}

/** The records a call may reach: one account's, or all of its PSP's. */
export interface Reach {
  readonly psp: PspId;
  readonly account?: AccountId | undefined;
}

/** A client's key reaches its own records, a PSP's key all of the PSP's or one client's. @throws NOT_FOUND */
export const reachOf = async (
  s: Needs<'db'> & HasAccounts,
  { principal, onBehalfOf }: Pick<Call, 'principal' | 'onBehalfOf'>,
): Promise<Reach> => ({ psp: principal.psp, account: await listedAccount(s, principal, onBehalfOf) });
