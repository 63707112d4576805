// The account a list or a change is limited to: by header, or by id as well where a client may be named so.
import { type AccountId, accountFromWire, type PspId } from '../../core/ids.ts';
import { notFound, orThrow } from '../../core/refusal.ts';
import { reaches } from '../kernel/asked.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import {
  type Account,
  concernedAccount,
  findAccount,
  findAnyAccount,
  type HasAccounts,
  knownAccount,
} from './accounts.ts';

/**
 * The account a list is limited to: that of a client's key, or the one that a PSP's key names by x-client-id or
 * `clientId`, if any. Operators and authorities name any account by `clientId`.
 * @throws NOT_FOUND, also for another PSP's client
 */
export async function listedClient(
  s: Needs<'db'> & HasAccounts,
  { principal, onBehalfOf }: Pick<Call, 'principal' | 'onBehalfOf'>,
  clientId?: string,
): Promise<AccountId | undefined> {
  const named = clientId === undefined ? onBehalfOf : accountFromWire(clientId);
  if (clientId !== undefined && (named === undefined || (onBehalfOf ?? named) !== named)) throw notFound();
  if (principal.kind === 'client') return orThrow(concernedAccount(principal, named));
  const ofAnyPsp = clientId !== undefined && principal.kind !== 'psp';
  if (named && !ofAnyPsp && !(await knownAccount(s, { psp: principal.psp, id: named }))) throw notFound();
  return named;
}

type Asking = Pick<Call, 'principal' | 'onBehalfOf'>;

/** The account that an id names: of any PSP for an operator, else one that the call reaches. @throws NOT_FOUND */
export async function accountAsked(s: Needs<'db'>, call: Asking, wire: string | undefined): Promise<Account> {
  const { principal } = call;
  const id = accountFromWire(wire ?? '');
  const found =
    id && (principal.kind === 'operator' ? await findAnyAccount(s.db, id) : await findAccount(s.db, principal.psp, id));
  if (!found || !reaches(call, found.id)) throw notFound();
  return found;
}

/** The client of a path: a client reaches itself, a PSP its clients, an operator all. @throws NOT_FOUND */
export async function clientAsked(s: Needs<'db'>, call: Asking & Pick<Call, 'params'>): Promise<Account> {
  const found = await accountAsked(s, call, call.params.clientId);
  if (found.kind !== 'client') throw notFound();
  return found;
}

/** The records a call may reach: one account's, or all of its PSP's. */
export interface Reach {
  readonly psp: PspId;
  readonly account?: AccountId | undefined;
}

/** A client's key reaches its own records, a PSP's key all of the PSP's or one client's. @throws NOT_FOUND */
export const reachOf = async (
  s: Needs<'db'> & HasAccounts,
  call: Pick<Call, 'principal' | 'onBehalfOf'>,
): Promise<Reach> => ({ psp: call.principal.psp, account: await listedClient(s, call) });
