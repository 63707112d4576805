// Decline and chargeback act on the record of a ref. This finds the account that the ref belongs to.
import type { AccountId } from '../../core/ids.ts';
import { refuse, said } from '../../core/refusal.ts';
import type { Call, Needs } from '../kernel/operation.ts';
import { accountsOfRef } from './transaction-store.ts';

const unknown = (ref: string) => refuse('NOT_FOUND', said`no transaction with the ref '${ref.slice(0, 60)}'`);

export interface RecordOfRef {
  readonly account: AccountId;
  readonly ref: string;
}

/**
 * A client's key means its own ref; a PSP's key a ref of its own account or of a client, which `x-client-id` must name
 * if several have it.
 * @throws NOT_FOUND, REF_AMBIGUOUS
 */
export async function accountOfRef(s: Needs<'db'>, call: Call, ref: string): Promise<string> {
  const { principal, onBehalfOf } = call;
  if (principal.kind === 'client') {
    if (onBehalfOf !== undefined && onBehalfOf !== principal.account) throw unknown(ref);
    return principal.account;
  }
  if (onBehalfOf !== undefined) return onBehalfOf;
  const accounts = await accountsOfRef(s.db, principal.psp, ref);
  if (accounts.length > 1)
    throw refuse(
      'REF_AMBIGUOUS',
      said`the ref '${ref.slice(0, 60)}' exists for several of your clients; name one in the header x-client-id`,
    );
  if (!accounts[0]) throw unknown(ref);
  return accounts[0];
}

export { unknown as unknownRef };
